// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.process;

import io.lakestream.cli.CommandFailed;
import java.nio.file.Path;

/** Ends a run of processes of which none makes progress any more. */
public final class Patience {
  /** Without any progress for so long, something hangs, however loaded the machine is. */
  private static final long STALL_NANOS = 180_000_000_000L;

  /** Longer than a process needs to start on a machine that is fast enough for what it is given. */
  private static final long REST_NANOS = 5_000_000_000L;

  private final Path folder;
  private long progress;
  private long progressNanos = System.nanoTime();

  /**
   * Begins to wait.
   *
   * @param folder where the logs of the processes are
   */
  public Patience(Path folder) {
    this.folder = folder;
  }

  /** Whether the processes have made no progress for so long that they need to be left in peace. */
  public boolean isWaiting() {
    return System.nanoTime() - progressNanos > REST_NANOS;
  }

  /**
   * Takes note of how far the processes are; any change is progress, since one that rolls back was
   * started again.
   *
   * @throws CommandFailed if nothing has changed for too long
   */
  public void observe(long newProgress) {
    long nowNanos = System.nanoTime();
    if (newProgress != progress) {
      progress = newProgress;
      progressNanos = nowNanos;
    } else if (nowNanos - progressNanos > STALL_NANOS) {
      throw new CommandFailed(
          "no process made progress for %d s; run it again with --keep and look at the logs in %s"
              .formatted(STALL_NANOS / 1_000_000_000L, folder));
    }
  }
}
