// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Tells again and again what a producer waits for, while the thread that writes is held back. */
final class HeldBack implements AutoCloseable {
  /** As often as somebody who looks wants to see that it goes on. */
  private static final long LOOK_MILLIS = 500;

  private final ScheduledExecutorService looking =
      Executors.newSingleThreadScheduledExecutor(HeldBack::daemon);

  /** Begins to look. */
  HeldBack(Supplier<Optional<String>> waitsFor, Consumer<String> shown) {
    var unused =
        looking.scheduleWithFixedDelay(
            () -> waitsFor.get().ifPresent(shown), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static Thread daemon(Runnable body) {
    Thread thread = new Thread(body, "lakestream-held-back");
    thread.setDaemon(true);
    return thread;
  }

  /** Nothing is told any more when this returns, but for what is being told. */
  @Override
  public void close() {
    looking.shutdownNow();
  }
}
