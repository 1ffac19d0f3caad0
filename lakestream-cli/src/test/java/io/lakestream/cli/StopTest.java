// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.model.UnsupportedStore;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
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

  @Test
  void ofACommandThatWasInterruptedNothingIsBlamed() {
    stop.request(130);
    Cli init = Cli.run(Map.of(), stop, "init", "x", "--mesh", "1x1");
    assertThat(init.err()).isEqualTo("lakestream: interrupted" + System.lineSeparator());
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream lines = new PrintStream(err, true, StandardCharsets.UTF_8);
    Console console = new Console(err, lines, Map.of(), stop, Screen.none());
    UnsupportedStore verdict = new UnsupportedStore("the store lacks what Lakestream rests on");
    assertThat(new Failures(console).report(verdict, Verbosity.NORMAL)).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo(init.err());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
