// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

import io.lakestream.format.Descriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * I4: any two readers see the same descriptor for a step, for ever. Keeps the one true history that
 * the others are compared with.
 */
public final class History implements Invariant {
  private final List<Descriptor> steps = new ArrayList<>();
  private boolean isSealed;

  @Override
  public void versionCreated(CreatedVersion version) {
    if (version.isDead()) {
      return;
    }
    for (int i = 0; i < version.tail().size(); i++) {
      see(version.tailFirst() + i, version.tail().get(i), version.number());
    }
    if (version.nextStep() < steps.size()) {
      throw new Violation(
          "I4",
          "version %d has %d steps of %d"
              .formatted(version.number(), version.nextStep(), steps.size()));
    }
    isSealed = version.manifest().header().isSealed();
  }

  private void see(long step, Descriptor descriptor, long version) {
    if (step == steps.size()) {
      steps.add(descriptor);
    } else if (step > steps.size() || !steps.get((int) step).equals(descriptor)) {
      throw new Violation(
          "I4", "step %d is another in version %d: %s".formatted(step, version, descriptor));
    }
  }

  /** How many steps there ever were. */
  public int size() {
    return steps.size();
  }

  /** Whether the stream has its end. */
  public boolean isSealed() {
    return isSealed;
  }

  /** The descriptor of a step, or empty if there was never one. */
  public Optional<Descriptor> at(long step) {
    return step < steps.size() ? Optional.of(steps.get((int) step)) : Optional.empty();
  }
}
