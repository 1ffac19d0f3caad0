// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

import io.lakestream.format.StreamTables.SkipRange;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * I8: steps that are to be skipped stay so, and what was acknowledged is among them. Knows what
 * each version has to skip by that version alone, as it was when it was created, to compare with
 * what ranks find out later.
 */
public final class Skips implements Invariant {
  private final TreeMap<Long, Set<Long>> stepsByVersion = new TreeMap<>(Map.of(0L, Set.of()));
  private long firstStep;

  @Override
  public void versionCreated(CreatedVersion version) {
    if (version.isDead()) {
      return;
    }
    firstStep = version.manifest().header().firstStep();
    Set<Long> steps = new TreeSet<>();
    for (SkipRange range : version.manifest().tables().skips()) {
      for (long step = range.first(); step <= range.last(); step++) {
        steps.add(step);
      }
    }
    for (long step : newest()) {
      if (step >= firstStep && !steps.contains(step)) {
        throw new Violation(
            "I8",
            "step %d is not skipped any more by version %d".formatted(step, version.number()));
      }
    }
    stepsByVersion.put(version.number(), steps);
  }

  private Set<Long> newest() {
    return stepsByVersion.lastEntry().getValue();
  }

  /** The first step that is there. */
  public long firstStep() {
    return firstStep;
  }

  /** An operator was told that steps are to be skipped; {@code end} is none of them. */
  public void recorded(long first, long end) {
    for (long step = Math.max(first, firstStep); step < end; step++) {
      if (!newest().contains(step)) {
        throw new Violation("I8", "step %d is not skipped, though it was recorded".formatted(step));
      }
    }
  }

  /** The first step at or after {@code step} that a start of {@code version} does not skip. */
  public long past(long version, long step) {
    Set<Long> steps = stepsByVersion.floorEntry(version).getValue();
    long past = step;
    while (steps.contains(past)) {
      past++;
    }
    return past;
  }
}
