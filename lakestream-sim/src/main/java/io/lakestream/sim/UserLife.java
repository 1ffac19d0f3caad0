// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.model.CommitContended;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.testkit.simulation.SimulatedProcess;

/** Somebody who does one thing after another at random times, and tries again what failed. */
abstract class UserLife extends Life {
  private final long pauseMeanNanos;

  UserLife(World world, String name, long pauseMeanNanos) {
    super(world, name);
    this.pauseMeanNanos = pauseMeanNanos;
  }

  /**
   * Does one thing. It may end by {@link StoreUnavailable}, {@link CommitUnknown} and {@link
   * CommitContended}, which the store's faults bring about.
   */
  abstract void act(SimulatedProcess process) throws InterruptedException;

  @Override
  final boolean mayBeDoubled() {
    return false; // Both would share what one remembers.
  }

  @Override
  final void live(SimulatedProcess process) throws InterruptedException {
    while (!isDone()) {
      process.environment().clock().sleep(Chances.around(random(), pauseMeanNanos));
      try {
        act(process);
      } catch (StoreUnavailable | CommitUnknown | CommitContended e) {
        world().tell(process.name() + " gives up: " + e);
      }
    }
  }
}
