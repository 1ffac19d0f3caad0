// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

import java.util.Map;
import java.util.TreeMap;

/** A promise that was granted and not taken back is kept: its step does not go. */
public final class KeptPromises implements Invariant {
  private final Map<String, Long> held = new TreeMap<>();
  private long firstStep;

  @Override
  public void versionCreated(CreatedVersion version) {
    if (version.isDead()) {
      return;
    }
    firstStep = version.manifest().header().firstStep();
    held.forEach(this::check);
  }

  @Override
  public void promised(String promise, long step) {
    held.put(promise, step);
    check(promise, step);
  }

  private void check(String promise, long step) {
    if (step < firstStep) {
      throw new Violation(
          "promise",
          "step %d was promised (%s), the first step is %d".formatted(step, promise, firstStep));
    }
  }

  @Override
  public void released(String promise) {
    Long unused = held.remove(promise);
  }
}
