// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The numbers of objects that are numbered without a gap, as a listing shows them. */
final class Numbers {
  private final TreeSet<Long> present = new TreeSet<>();

  void add(long number) {
    boolean unused = present.add(number);
  }

  /** Numbers that are not there. */
  record Gap(long first, long last) {}

  /** Whether an object is there now. */
  @FunctionalInterface
  interface Probe {
    boolean isPresent(long number) throws IOException;
  }

  /**
   * The gaps from {@code first} to the highest number. A listing may lack what was put while it
   * ran, though not what was put before; so what it lacks is looked at once more.
   */
  List<Gap> gaps(long first, Probe probe) throws IOException {
    List<Gap> gaps = new ArrayList<>();
    long expected = first;
    for (long number : List.copyOf(present.tailSet(first))) {
      while (expected < number && probe.isPresent(expected)) {
        present.add(expected);
        expected++;
      }
      if (expected < number) {
        gaps.add(new Gap(expected, number - 1));
      }
      expected = number + 1;
    }
    return gaps;
  }

  /** The numbers that are there, from the lowest. */
  List<Long> from(long first) {
    return List.copyOf(present.tailSet(first));
  }

  /** The numbers that are there, from the highest, above {@code last}. */
  List<Long> downTo(long last) {
    return List.copyOf(present.tailSet(last, false).descendingSet());
  }

  /** The numbers that are there, from the lowest, up to {@code last}. */
  List<Long> upTo(long last) {
    return List.copyOf(present.headSet(last, true));
  }

  int size() {
    return present.size();
  }
}
