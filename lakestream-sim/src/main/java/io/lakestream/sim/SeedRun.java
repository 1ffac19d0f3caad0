// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.testkit.simulation.Failure;
import io.lakestream.testkit.simulation.Simulation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** One seed of a scenario. */
public final class SeedRun {
  private static final long END_NANOS = TimeUnit.HOURS.toNanos(2);

  private SeedRun() {}

  /**
   * What came of it.
   *
   * @param seed the seed
   * @param failure what went wrong, if anything did
   * @param lastEvents the last events, as text
   * @param fingerprint equal for equal runs
   * @param storeCalls how often the store was called
   */
  public record Result(
      long seed,
      Optional<Failure> failure,
      List<String> lastEvents,
      String fingerprint,
      long storeCalls) {
    public Result {
      lastEvents = List.copyOf(lastEvents);
    }
  }

  /** Runs a seed of a scenario; its threads are borrowed from {@code threads}. */
  public static Result run(Scenario scenario, long seed, ExecutorService threads)
      throws InterruptedException {
    Simulation simulation = new Simulation(seed, threads, END_NANOS);
    World world = scenario.begin(simulation);
    Optional<Failure> failure = simulation.run();
    return new Result(
        seed, failure, world.trace().lastEvents(), world.trace().fingerprint(), world.storeCalls());
  }
}
