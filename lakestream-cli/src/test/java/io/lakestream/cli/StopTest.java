// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A stop interrupts where a command allows it, and nowhere else. */
final class StopTest {
  private final Stop stop = new Stop();

  private static boolean sleepForever() throws InterruptedException {
    Thread.sleep(Long.MAX_VALUE);
    return true;
  }

  private static void inBackground(Runnable body) {
    Thread thread = new Thread(body);
    thread.setDaemon(true);
    thread.start();
  }

  @Test
  void aRequestInterruptsAnInterruptibleSection() {
    CountDownLatch begun = new CountDownLatch(1);
    inBackground(
        () -> {
          awaitQuietly(begun);
          stop.request(130);
        });
    assertThatThrownBy(
            () ->
                stop.interruptible(
                    () -> {
                      begun.countDown();
                      return sleepForever();
                    }))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(stop.status()).isEqualTo(130);
  }

  @Test
  void aRequestLetsABoundedSectionEndUntilTheTimeIsOver() {
    CountDownLatch begun = new CountDownLatch(1);
    inBackground(
        () -> {
          awaitQuietly(begun);
          stop.request(130);
          stop.expire();
        });
    assertThatThrownBy(
            () ->
                stop.bounded(
                    () -> {
                      begun.countDown();
                      return sleepForever();
                    }))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void afterARequestOnlyBoundedSectionsAreEntered() throws Exception {
    stop.request(130);
    assertThatThrownBy(() -> stop.interruptible(() -> "never"))
        .isInstanceOf(InterruptedException.class);
    assertThat(stop.bounded(() -> "once more")).isEqualTo("once more");
    stop.expire();
    assertThatThrownBy(() -> stop.bounded(() -> "never")).isInstanceOf(InterruptedException.class);
  }

  @Test
  void whatIsOutsideASectionIsNotInterrupted() throws Exception {
    String result =
        stop.interruptible(
            () -> {
              stop.request(130);
              return "came too late to be noticed";
            });
    assertThat(result).isNotEmpty();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
