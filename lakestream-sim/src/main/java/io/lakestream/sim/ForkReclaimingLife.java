// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.Namespace;
import io.lakestream.model.DataLoss;
import io.lakestream.sim.invariant.Violation;
import io.lakestream.testkit.simulation.SimulatedProcess;
import java.util.Optional;

/** Somebody who reclaims the forks of another, beside him. */
final class ForkReclaimingLife extends UserLife {
  private final Chances chances;
  private final ForkingLife forker;

  ForkReclaimingLife(World world, String name, Chances chances, ForkingLife forker) {
    super(world, name, chances.reclaimPauseNanos());
    this.chances = chances;
    this.forker = forker;
  }

  @Override
  boolean isDone() {
    return forker.isDone();
  }

  @Override
  void act(SimulatedProcess process) throws InterruptedException {
    Optional<Fork> fork = forker.any(random());
    if (fork.isPresent()) {
      reclaim(process, fork.get());
    }
  }

  private void reclaim(SimulatedProcess process, Fork fork) throws InterruptedException {
    try (Namespace stream = world().open(process, fork.place(), chances.storeMeanNanos())) {
      var reclaimed = stream.lifecycle().reclaim(chances.reclaimSettings());
      world().tell("%s reclaims %s: %s".formatted(process.name(), fork.place(), reclaimed));
    } catch (DataLoss e) {
      if (!fork.isLetGo()) {
        throw new Violation("promise", "%s: %s".formatted(fork.place(), e.getMessage()));
      }
      world().tell(process.name() + " reclaims what was let go: " + e);
    }
  }
}
