// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

import io.lakestream.format.Boundary;

/** I9: boundary and {@code firstStep} never fall. */
public final class NeverFalling implements Invariant {
  private Boundary boundary = Boundary.NONE;
  private long firstStep;

  @Override
  public void versionCreated(CreatedVersion version) {
    if (version.isDead()) {
      return;
    }
    long first = version.manifest().header().firstStep();
    if (first < firstStep) {
      throw new Violation("I9", "the first step fell from %d to %d".formatted(firstStep, first));
    }
    firstStep = first;
  }

  @Override
  public void boundaryCreated(Boundary created) {
    if (created.index() != boundary.index() + 1 || created.version() < boundary.version()) {
      throw new Violation("I9", "boundary %s follows %s".formatted(created, boundary));
    }
    boundary = created;
  }
}
