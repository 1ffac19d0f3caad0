// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How many files and lines of an input were left out.
 *
 * @param counts how many for each reason that there was
 */
public record Skipped(SortedMap<SkipReason, Long> counts) {
  /** Nothing. */
  public static final Skipped NONE = new Skipped(new TreeMap<>());

  public Skipped {
    counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
  }

  /** This and something else that was left out. */
  public Skipped plus(Skipped other) {
    TreeMap<SkipReason, Long> sum = new TreeMap<>(counts);
    for (Map.Entry<SkipReason, Long> entry : other.counts.entrySet()) {
      Long unused = sum.merge(entry.getKey(), entry.getValue(), Long::sum);
    }
    return new Skipped(sum);
  }

  Skipped plus(SkipReason reason) {
    TreeMap<SkipReason, Long> sum = new TreeMap<>(counts);
    Long unused = sum.merge(reason, 1L, Long::sum);
    return new Skipped(sum);
  }

  /** Whether nothing was left out. */
  public boolean isEmpty() {
    return counts.isEmpty();
  }

  /** In words, such as {@code 2 binary files, 1 broken link}; empty for nothing. */
  @Override
  public String toString() {
    return counts.entrySet().stream()
        .map(entry -> entry.getKey().count(entry.getValue()))
        .collect(Collectors.joining(", "));
  }
}
