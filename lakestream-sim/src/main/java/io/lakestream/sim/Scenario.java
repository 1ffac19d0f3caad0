// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.testkit.simulation.Simulation;
import java.util.Locale;

/** The scenarios that seeds are run of, by name. */
public enum Scenario {
  /** One stream, from its first batch to its sealed end, while everything goes wrong. */
  STREAM,

  /** As that, with whoever reclaims or relies on steps in a hurry, and at times longer streams. */
  RECLAMATION;

  /** Gets everybody going in a simulation that has not run yet. */
  World begin(Simulation simulation) {
    return switch (this) {
      case STREAM -> StreamScenario.begin(simulation, Chances::draw);
      case RECLAMATION -> StreamScenario.begin(simulation, Chances::hurried);
    };
  }

  /** What users call it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
