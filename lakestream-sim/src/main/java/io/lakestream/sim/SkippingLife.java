// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.Namespace;
import io.lakestream.model.InvalidRequest;
import io.lakestream.sim.invariant.Violation;
import io.lakestream.testkit.simulation.SimulatedProcess;
import java.util.concurrent.TimeUnit;

/** Somebody who finds steps bad and records that they are to be skipped, again until he knows. */
final class SkippingLife extends UserLife {
  private static final int STEPS_MAX = 4;
  private static final long PAUSE_MEAN_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final Chances chances;
  private int left;
  private long first = -1;
  private long end;

  SkippingLife(World world, String name, Chances chances) {
    super(world, name, PAUSE_MEAN_NANOS);
    this.chances = chances;
    this.left = chances.skips();
  }

  @Override
  boolean isDone() {
    return left == 0;
  }

  @Override
  void act(SimulatedProcess process) throws InterruptedException {
    long steps = world().history().size() - world().skips().firstStep();
    if (first < 0 && steps > 0) {
      first = world().skips().firstStep() + random().nextLong(steps);
      end = Math.min(world().history().size(), first + 1 + random().nextInt(STEPS_MAX));
    }
    if (first >= 0) {
      skip(process);
    } else if (world().history().isSealed()) {
      left = 0; // Nothing is there, and nothing will be.
    }
  }

  private void skip(SimulatedProcess process) throws InterruptedException {
    try (Namespace stream = world().open(process, chances.storeMeanNanos())) {
      var range = stream.skip(first, end, "bad");
      world().tell("%s skips %d to %d: %s".formatted(process.name(), first, end - 1, range));
      world().skips().recorded(first, end);
      settle();
    } catch (InvalidRequest e) {
      if (first >= world().skips().firstStep()) {
        throw new Violation("I8", "%s: %s".formatted(process.name(), e.getMessage()));
      }
      world().tell(process.name() + " comes too late: " + e);
      settle();
    }
  }

  private void settle() {
    first = -1;
    left--;
  }
}
