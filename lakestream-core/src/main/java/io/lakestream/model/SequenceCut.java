// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Which blocks of a sequence each context-parallel rank holds. A sequence of length S is seen as M
 * equal blocks; M = 2·C·k, so that both layouts deal whole blocks.
 *
 * @param layout the rule
 * @param contextParallel C
 * @param blocksPerRank 2·k, the blocks of one rank: even
 */
public record SequenceCut(CpLayout layout, int contextParallel, int blocksPerRank) {
  /** Most blocks of a sequence: far more than ranks that could share it. */
  private static final int BLOCKS_MAX = 1 << 20;

  public SequenceCut {
    if (layout == CpLayout.OPAQUE && contextParallel != 1) {
      throw new InvalidRequest(
          "an opaque layout cannot be cut over %d context ranks; choose contiguous or zigzag"
              .formatted(contextParallel));
    }
    if (blocksPerRank < 2 || blocksPerRank % 2 != 0) {
      throw new InvalidRequest(
          "a rank holds an even number of sequence blocks, not %d".formatted(blocksPerRank));
    }
    if ((long) contextParallel * blocksPerRank > BLOCKS_MAX) {
      throw new InvalidRequest(
          "a sequence has at most %d blocks, not %d for each of %d ranks"
              .formatted(BLOCKS_MAX, blocksPerRank, contextParallel));
    }
  }

  /** M, the blocks of a whole sequence. */
  public int blocks() {
    return contextParallel * blocksPerRank;
  }

  /** The blocks of rank {@code c} in the order in which its slice stores them, as M-th parts. */
  public List<Integer> blocksOf(int c) {
    List<Integer> blocks = new ArrayList<>(blocksPerRank);
    if (layout == CpLayout.ZIGZAG) {
      int half = blocksPerRank / 2;
      addRun(blocks, c * half, half);
      addRun(blocks, (2 * contextParallel - 1 - c) * half, half);
    } else {
      addRun(blocks, c * blocksPerRank, blocksPerRank);
    }
    return blocks;
  }

  private static void addRun(List<Integer> blocks, int first, int count) {
    for (int i = 0; i < count; i++) {
      blocks.add(first + i);
    }
  }
}
