// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import io.lakestream.runtime.Monitor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One read and the attempts at it, of which the first that is answered counts. A failure counts
 * only if no other attempt is under way. For use by the thread that reads.
 *
 * @param <T> what a store answers
 */
final class HedgedRead<T> {
  private final Call<T> call;
  private final Monitor monitor;
  private final List<AttemptThreads.Attempt> attempts = new ArrayList<>();
  private int running;
  private @Nullable T answer;
  private @Nullable Throwable failure;

  HedgedRead(Call<T> call, Monitor monitor) {
    this.call = call;
    this.monitor = monitor;
  }

  /** What an attempt does. */
  @FunctionalInterface
  interface Call<T> {
    T make() throws IOException;
  }

  /** Begins another attempt, if there is a thread for it. */
  boolean begin(AttemptThreads threads) {
    monitor.change(() -> running++);
    Optional<AttemptThreads.Attempt> attempt = threads.start(this::attempt);
    if (attempt.isEmpty()) {
      monitor.change(() -> running--);
      return false;
    }
    attempts.add(attempt.get());
    return true;
  }

  /** How many attempts have begun. */
  int attempts() {
    return attempts.size();
  }

  /** Waits for an answer, or for the failure of all attempts. */
  boolean awaitEnd(long nanos) throws InterruptedException {
    return monitor.pauseUntil(this::isOver, nanos);
  }

  /** Whatever is still under way is waited for no more. */
  void letGo() {
    if (monitor.locked(() -> running > 0)) {
      attempts.forEach(AttemptThreads.Attempt::letGo);
    }
  }

  /** The answer, once the read has ended. */
  T result() throws IOException {
    monitor.lock();
    try {
      if (answer != null) {
        return answer;
      }
      if (failure instanceof RuntimeException e) {
        throw e;
      }
      if (failure instanceof Error e) {
        throw e;
      }
      if (failure instanceof IOException e) {
        throw e;
      }
      throw new AssertionError("a read has ended that had no attempt");
    } finally {
      monitor.unlock();
    }
  }

  private boolean isOver() {
    return answer != null || running == 0;
  }

  private void attempt() {
    try {
      T found = call.make();
      settle(found, null);
    } catch (IOException | RuntimeException | Error e) {
      settle(null, e);
    }
  }

  private void settle(@Nullable T found, @Nullable Throwable failed) {
    monitor.lock();
    try {
      running--;
      if (answer == null) {
        answer = found;
      }
      if (failure == null) {
        failure = failed;
      } else if (failed != null && failed != failure) {
        failure.addSuppressed(failed);
      }
    } finally {
      monitor.unlock();
    }
  }
}
