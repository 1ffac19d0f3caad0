// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each context-parallel rank holds the positions that Megatron-LM and PyTorch deal it. */
class SequenceCutTest {

  /** The positions of rank {@code c} of a sequence of {@code length}, in the order stored. */
  private static List<Integer> positions(SequenceCut cut, int c, int length) {
    int width = length / cut.blocks();
    List<Integer> positions = new ArrayList<>();
    for (int block : cut.blocksOf(c)) {
      for (int i = 0; i < width; i++) {
        positions.add(block * width + i);
      }
    }
    return positions;
  }

  @Test
  void zigzagOverTwoRanksGivesEachAnOuterAndAnInnerPair() {
    SequenceCut cut = new SequenceCut(CpLayout.ZIGZAG, 2, 2);
    assertThat(positions(cut, 0, 16)).containsExactly(0, 1, 2, 3, 12, 13, 14, 15);
    assertThat(positions(cut, 1, 16)).containsExactly(4, 5, 6, 7, 8, 9, 10, 11);
  }

  @Test
  void zigzagOverFourRanksGivesEachTwoChunksOfEight() {
    SequenceCut cut = new SequenceCut(CpLayout.ZIGZAG, 4, 2);
    assertThat(positions(cut, 0, 16)).containsExactly(0, 1, 14, 15);
    assertThat(positions(cut, 1, 16)).containsExactly(2, 3, 12, 13);
    assertThat(positions(cut, 2, 16)).containsExactly(4, 5, 10, 11);
    assertThat(positions(cut, 3, 16)).containsExactly(6, 7, 8, 9);
  }

  @Test
  void contiguousGivesEachRankOneRun() {
    SequenceCut cut = new SequenceCut(CpLayout.CONTIGUOUS, 4, 2);
    assertThat(positions(cut, 0, 16)).containsExactly(0, 1, 2, 3);
    assertThat(positions(cut, 3, 16)).containsExactly(12, 13, 14, 15);
  }

  @ParameterizedTest
  @CsvSource({"ZIGZAG,1", "ZIGZAG,2", "ZIGZAG,4", "CONTIGUOUS,2", "OPAQUE,1"})
  void moreBlocksDealTheSamePositions(CpLayout layout, int ranks) {
    for (int c = 0; c < ranks; c++) {
      List<Integer> few = positions(new SequenceCut(layout, ranks, 2), c, 64);
      List<Integer> many = positions(new SequenceCut(layout, ranks, 8), c, 64);
      assertThat(many).isEqualTo(few);
    }
  }

  @ParameterizedTest
  @CsvSource({"ZIGZAG,8,2", "ZIGZAG,3,4", "CONTIGUOUS,5,2"})
  void everyBlockGoesToOneRank(CpLayout layout, int ranks, int blocksPerRank) {
    SequenceCut cut = new SequenceCut(layout, ranks, blocksPerRank);
    List<Integer> all = new ArrayList<>();
    for (int c = 0; c < ranks; c++) {
      assertThat(cut.blocksOf(c)).hasSize(blocksPerRank);
      all.addAll(cut.blocksOf(c));
    }
    assertThat(all).hasSize(cut.blocks()).doesNotHaveDuplicates();
    assertThat(all).allMatch(block -> block >= 0 && block < cut.blocks());
  }

  @Test
  void anOpaqueLayoutCannotBeCut() {
    assertThat(new SequenceCut(CpLayout.OPAQUE, 1, 2).blocksOf(0)).containsExactly(0, 1);
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> new SequenceCut(CpLayout.OPAQUE, 2, 2))
        .withMessageContaining("opaque layout cannot be cut over 2 context ranks");
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "3", "-2"})
  void aRankHoldsAnEvenNumberOfBlocks(int blocks) {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> new SequenceCut(CpLayout.ZIGZAG, 2, blocks))
        .withMessageContaining("an even number of sequence blocks, not " + blocks);
  }

  @Test
  void moreBlocksThanAnyoneCouldUseAreRefused() {
    assertThat(new SequenceCut(CpLayout.ZIGZAG, 2, 1 << 19).blocks()).isEqualTo(1 << 20);
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> new SequenceCut(CpLayout.ZIGZAG, 4, 1 << 30))
        .withMessageContaining("at most 1048576 blocks");
  }
}
