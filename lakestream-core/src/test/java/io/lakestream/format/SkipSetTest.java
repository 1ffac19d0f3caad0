// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.format.SkipSet.Run;
import io.lakestream.format.StreamTables.SkipRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The steps that ranges skip together. */
final class SkipSetTest {
  private static SkipRange range(long first, long last, long version) {
    return new SkipRange(first, last, "bad", version);
  }

  @Test
  void rangesThatTouchAreOneRun() {
    List<SkipRange> ranges = List.of(range(7, 9, 1), range(3, 4, 1), range(5, 6, 1));
    assertThat(SkipSet.of(ranges, 1).runs()).containsExactly(new Run(3, 10));
    assertThat(SkipSet.of(List.of(range(3, 4, 1), range(6, 6, 1)), 1).runs())
        .containsExactly(new Run(3, 5), new Run(6, 7));
  }

  @Test
  void rangesOfLaterVersionsDoNotCount() {
    List<SkipRange> ranges = List.of(range(0, 1, 5), range(4, 5, 6));
    assertThat(SkipSet.of(ranges, 4).runs()).isEmpty();
    assertThat(SkipSet.of(ranges, 5).runs()).containsExactly(new Run(0, 2));
    assertThat(SkipSet.of(ranges, 6).runs()).hasSize(2);
  }

  @Test
  void aDamagedRangeUpToTheHighestNumberEndsThere() {
    SkipSet set = SkipSet.of(List.of(range(3, Long.MAX_VALUE, 0)), 0);
    assertThat(set.past(5)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void itIsWhatASetOfNumbersWouldBe() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      List<SkipRange> ranges = new ArrayList<>();
      TreeSet<Long> steps = new TreeSet<>();
      for (int i = random.nextInt(6); i > 0; i--) {
        long first = random.nextInt(30);
        long last = first + random.nextInt(8);
        ranges.add(range(first, last, 1));
        for (long step = first; step <= last; step++) {
          steps.add(step);
        }
      }
      SkipSet set = SkipSet.of(ranges, 1);
      assertThat(set.count(0)).as("seed %d", seed).isEqualTo(steps.size());
      assertThat(set.count(12)).as("seed %d", seed).isEqualTo(steps.tailSet(12L).size());
      for (long step = 0; step < 40; step++) {
        long past = step;
        while (steps.contains(past)) {
          past++;
        }
        assertThat(set.past(step)).as("seed %d, %s at %d", seed, ranges, step).isEqualTo(past);
        boolean isCovered = steps.contains(step) && steps.contains(step + 1);
        assertThat(set.covers(step, step + 2)).as("seed %d", seed).isEqualTo(isCovered);
      }
    }
  }
}
