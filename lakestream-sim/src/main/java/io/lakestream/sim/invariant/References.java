// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

import io.lakestream.format.Descriptor;
import io.lakestream.format.SegmentTree.Reference;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The objects of steps and descriptors that the head refers to. */
final class References {
  private final Map<String, Long> lastSteps = new TreeMap<>();
  private Set<String> segments = new TreeSet<>();
  private long firstStep;
  private long nextStep;

  /** Goes on to a new head. */
  void moveTo(CreatedVersion version) {
    List<Descriptor> tail = version.tail();
    for (int i = (int) Math.max(0, nextStep - version.tailFirst()); i < tail.size(); i++) {
      long step = version.tailFirst() + i;
      tail.get(i).objectKeys().forEach(key -> lastSteps.put(key, step));
    }
    nextStep = version.nextStep();
    firstStep = version.manifest().header().firstStep();
    lastSteps.values().removeIf(last -> last < firstStep);
    segments =
        version.manifest().tree().references().stream()
            .map(Reference::key)
            .collect(Collectors.toCollection(TreeSet::new));
  }

  boolean contains(String key) {
    return lastSteps.containsKey(key) || segments.contains(key);
  }

  Set<String> all() {
    Set<String> all = new TreeSet<>(lastSteps.keySet());
    all.addAll(segments);
    return all;
  }

  long firstStep() {
    return firstStep;
  }
}
