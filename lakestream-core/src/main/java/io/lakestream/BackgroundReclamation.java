// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import io.lakestream.model.LakestreamException;
import io.lakestream.model.Reclaimed;
import io.lakestream.policy.ReclaimSettings;
import io.lakestream.runtime.Environment;
import io.lakestream.runtime.Monitor;
import io.lakestream.runtime.Tasks;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Passes of reclamation beside whatever else a process does, until it is closed. Many processes may
 * do so at once, and each may be killed: a pass finds what another left. Nothing that goes wrong in
 * a pass reaches the process; it is logged as a warning, and the passes that follow are made at
 * longer intervals until one succeeds. Passes that changed something are logged as information, all
 * others for debugging. Safe for use by several threads.
 *
 * <p>Close it before its namespace.
 */
public final class BackgroundReclamation implements AutoCloseable {
  /** 2^4 intervals: gentle to a store that is down, and soon enough once it is back. */
  private static final int DOUBLINGS_MAX = 4;

  private static final System.Logger LOG = System.getLogger(BackgroundReclamation.class.getName());

  private final Lifecycle lifecycle;
  private final ReclaimSettings settings;
  private final long everyNanos;
  private final Environment environment;
  private final Monitor monitor;
  private final Tasks.Task task;
  private boolean isClosed;
  private long firstStep = Long.MAX_VALUE;

  BackgroundReclamation(
      Lifecycle lifecycle, ReclaimSettings settings, long everyMillis, Environment environment) {
    this.lifecycle = lifecycle;
    this.settings = settings;
    this.everyNanos = TimeUnit.MILLISECONDS.toNanos(everyMillis);
    this.environment = environment;
    this.monitor = environment.tasks().monitor();
    this.task = environment.tasks().start("lakestream-reclaim", this::run);
  }

  /** Processes that start together would else reclaim together for ever. */
  private void run() {
    try {
      int failures = 0;
      double first = environment.entropy().nextDouble();
      boolean isEnding = awaitClose((long) (first * everyNanos));
      while (!isEnding) {
        failures = pass() ? 0 : failures + 1;
        isEnding = awaitClose(pauseNanos(everyNanos, failures, environment.entropy().nextDouble()));
      }
    } catch (InterruptedException e) {
      // Closing is how it ends.
    }
  }

  private boolean awaitClose(long nanos) throws InterruptedException {
    return monitor.pauseUntil(() -> isClosed, nanos);
  }

  /**
   * How long to wait for the next pass: an interval, more or less a half of it, and twice that for
   * each failure in a row.
   *
   * @param uniform a uniform number in [0, 1)
   */
  static long pauseNanos(long everyNanos, int failures, double uniform) {
    return (long) (everyNanos * (0.5 + uniform) * (1 << Math.min(failures, DOUBLINGS_MAX)));
  }

  /** Makes a pass; whether it came to its end. */
  private boolean pass() throws InterruptedException {
    try {
      Reclaimed reclaimed = lifecycle.reclaim(settings);
      boolean isNews =
          reclaimed.firstStep() > firstStep
              || !reclaimed.retired().isEmpty()
              || reclaimed.orphans() + reclaimed.segments() + reclaimed.manifests() > 0;
      firstStep = reclaimed.firstStep();
      LOG.log(isNews ? Level.INFO : Level.DEBUG, () -> "reclaimed: " + reclaimed);
      return true;
    } catch (LakestreamException e) {
      warn(e.getMessage(), null);
    } catch (RuntimeException e) {
      warn(e.toString(), e);
    }
    return false;
  }

  private void warn(@Nullable String why, @Nullable RuntimeException unexpected) {
    if (!monitor.locked(() -> isClosed)) {
      String said = "a pass of reclamation failed, a later one tries again: " + why;
      LOG.log(Level.WARNING, said, unexpected);
    }
  }

  /**
   * Ends it, and waits until it has ended. A pass that is under way is cut off, and leaves nothing
   * that a later one does not find. Closing again does nothing.
   */
  @Override
  public void close() {
    monitor.change(() -> isClosed = true);
    task.interrupt();
    try {
      task.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
