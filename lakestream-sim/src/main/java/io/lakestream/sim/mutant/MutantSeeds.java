// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.mutant;

import io.lakestream.sim.Scenario;
import io.lakestream.sim.SeedRun;
import io.lakestream.sim.invariant.Violation;
import io.lakestream.testkit.simulation.Failure;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * Runs seeds of whatever product it is loaded with; its only method is called from outside, by
 * types that all products share.
 */
public final class MutantSeeds {
  private MutantSeeds() {}

  /** What goes wrong with a seed of a scenario, or empty. */
  public static Optional<String> run(String scenario, long seed, ExecutorService threads)
      throws InterruptedException {
    return SeedRun.run(Scenario.valueOf(scenario), seed, threads).failure().map(MutantSeeds::text);
  }

  private static String text(Failure failure) {
    Throwable cause = failure.cause();
    if (cause == null) {
      return failure.what();
    }
    String message = String.valueOf(cause.getMessage());
    return cause instanceof Violation ? message : cause.getClass().getSimpleName() + ": " + message;
  }
}
