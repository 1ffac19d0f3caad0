// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.Namespace;
import io.lakestream.model.CommitContended;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.testkit.simulation.SimulatedProcess;

/**
 * Somebody who reclaims until the end, and much sooner than anybody would: the younger what is
 * deleted, the more readers and writers meet that it is gone.
 */
final class ReclaimingLife extends Life {
  private final Chances chances;

  ReclaimingLife(World world, String name, Chances chances) {
    super(world, name);
    this.chances = chances;
  }

  @Override
  boolean isDone() {
    return world().isOver();
  }

  @Override
  boolean mayBeDoubled() {
    return false; // There are several anyway, and none ends before all others do.
  }

  @Override
  long meanNanos(Chances drawn) {
    return 2 * drawn.lifeMeanNanos();
  }

  @Override
  void live(SimulatedProcess process) throws InterruptedException {
    try (Namespace stream = world().open(process, chances.storeMeanNanos())) {
      while (!isDone()) {
        process.environment().clock().sleep(Chances.around(random(), chances.reclaimPauseNanos()));
        reclaim(process, stream);
      }
    } catch (StoreUnavailable e) {
      world().tell(process.name() + " gives up: " + e);
    }
  }

  private void reclaim(SimulatedProcess process, Namespace stream) throws InterruptedException {
    try {
      world().tell(process.name() + ": " + stream.lifecycle().reclaim(chances.reclaimSettings()));
    } catch (StoreUnavailable | CommitUnknown | CommitContended e) {
      world().tell(process.name() + " fails: " + e);
    }
  }
}
