// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.runtime.Clock;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.testkit.fault.Fault;
import io.lakestream.testkit.fault.FaultRule;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Times in which a store, or what of it has to do with some keys, serves nobody (503). */
final class Outages {
  private static final long LENGTH_MEAN_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Stores spread keys over servers by what they begin with, and one of these may be down. */
  private static final List<String> PREFIXES = List.of("", "data/", "manifest/", "boundary/");

  private final World world;
  private final SplittableRandom random;
  private final long pauseMeanNanos;

  Outages(World world, long pauseMeanNanos) {
    this.world = world;
    this.random = world.random().split();
    this.pauseMeanNanos = pauseMeanNanos;
  }

  /** Lets outages come and go until a time. */
  void run(Clock clock, long endNanos) throws InterruptedException {
    clock.sleep(Chances.around(random, pauseMeanNanos));
    while (clock.nanoTime() < endNanos) {
      String prefix = PREFIXES.get(random.nextInt(PREFIXES.size()));
      FaultRule down =
          new FaultRule(
              Set.of(Operation.values()), prefix, 1, Integer.MAX_VALUE, new Fault.Throttled());
      world.faults().addFirst(down);
      world.tell("the store is down for '" + prefix + "'");
      clock.sleep(Chances.around(random, LENGTH_MEAN_NANOS));
      world.faults().remove(down);
      world.tell("the store is up again for '" + prefix + "'");
      clock.sleep(Chances.around(random, pauseMeanNanos));
    }
  }
}
