// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.format.StreamTables.SkipRange;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The steps that a start of a job skips: all that ranges recorded up to the start's version have. A
 * range says which version recorded it and leaves the tables only with its steps, so any head since
 * then gives the same set, whether or not the version itself is still there.
 */
public final class SkipSet {
  /** No steps. */
  public static final SkipSet NONE = new SkipSet(new TreeMap<>());

  private final NavigableMap<Long, Long> runs;

  private SkipSet(NavigableMap<Long, Long> runs) {
    this.runs = runs;
  }

  /**
   * The steps of the ranges that were recorded in {@code version} or before.
   *
   * @param ranges ranges of any later head
   */
  public static SkipSet of(List<SkipRange> ranges, long version) {
    NavigableMap<Long, Long> runs = new TreeMap<>();
    for (SkipRange range : ranges) {
      if (range.version() <= version) {
        long end =
            Math.max(range.last(), range.last() + 1); // Damaged, it may be the highest number.
        add(runs, range.first(), end);
      }
    }
    return new SkipSet(runs);
  }

  private static void add(NavigableMap<Long, Long> runs, long first, long end) {
    Map.Entry<Long, Long> touching = runs.floorEntry(end);
    long joinedFirst = first;
    long joinedEnd = end;
    while (touching != null && touching.getValue() >= first) {
      joinedFirst = Math.min(joinedFirst, touching.getKey());
      joinedEnd = Math.max(joinedEnd, touching.getValue());
      runs.remove(touching.getKey());
      touching = runs.floorEntry(end);
    }
    runs.put(joinedFirst, joinedEnd);
  }

  /**
   * Steps in a row that are skipped, with neighbours that are not.
   *
   * @param first the first of them
   * @param end one past the last
   */
  public record Run(long first, long end) {}

  /** The steps, in order. */
  public List<Run> runs() {
    return runs.entrySet().stream().map(run -> new Run(run.getKey(), run.getValue())).toList();
  }

  /** The first step at or after {@code step} that is not skipped. */
  public long past(long step) {
    Map.Entry<Long, Long> run = runs.floorEntry(step);
    return run == null ? step : Math.max(step, run.getValue());
  }

  /** Whether all steps from {@code first} to {@code end}, which is not one of them, are skipped. */
  public boolean covers(long first, long end) {
    return first >= end || past(first) >= end;
  }

  /** How many steps from {@code firstStep} on are skipped. */
  public long count(long firstStep) {
    return runs().stream()
        .mapToLong(run -> Math.max(0, run.end() - Math.max(run.first(), firstStep)))
        .sum();
  }
}
