// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.consume.ContextCut.Place;
import io.lakestream.model.CpLayout;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.SequenceCut;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every block of a sequence is held by one rank of the job, and found where it was stored. */
final class ContextCutTest {
  private static void check(CpLayout layout, int from, int to, int perRank) {
    SequenceCut stored = new SequenceCut(layout, from, perRank);
    SequenceCut wanted = new SequenceCut(layout, to, from * perRank / to);
    TreeSet<Integer> seen = new TreeSet<>();
    for (int rank = 0; rank < to; rank++) {
      List<Integer> blocks = new ArrayList<>();
      for (Place place : new ContextCut(layout, from, to).places(rank, perRank)) {
        blocks.add(stored.blocksOf(place.context()).get(place.index()));
      }
      assertThat(blocks).isEqualTo(wanted.blocksOf(rank));
      seen.addAll(blocks);
    }
    assertThat(seen).hasSize(from * perRank);
  }

  @Test
  void blocksAreFoundWhereTheWriterPutThem() {
    for (CpLayout layout : List.of(CpLayout.CONTIGUOUS, CpLayout.ZIGZAG)) {
      for (int from = 1; from <= 6; from++) {
        for (int to = 1; to <= 6; to++) {
          check(layout, from, to, 2 * to);
        }
      }
    }
  }

  @Test
  void aCutTouchesOneSliceAndAJoinSlicesSideBySide() {
    for (CpLayout layout : List.of(CpLayout.CONTIGUOUS, CpLayout.ZIGZAG)) {
      for (int k = 2; k <= 4; k++) {
        for (int rank = 0; rank < 2 * k; rank++) {
          int parent = rank / k;
          assertThat(new ContextCut(layout, 2, 2 * k).places(rank, 2 * k))
              .allMatch(place -> place.context() == parent);
        }
        assertThat(new ContextCut(layout, 2 * k, 2).joined(1).get(0)).isEqualTo(k);
        assertThat(new ContextCut(layout, 2 * k, 2).joined(1)).hasSize(k);
      }
    }
  }

  @Test
  void theNumberOfBlocksThatWouldDoIsNamed() {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> new ContextCut(CpLayout.ZIGZAG, 4, 6).places(0, 4))
        .withMessageContaining("16 blocks")
        .withMessageContaining("24 blocks would do, which is 6 for each");
  }
}
