// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import io.lakestream.model.InvalidRequest;
import io.lakestream.model.SequenceCut;
import java.nio.IntBuffer;
import java.util.List;

/**
 * What one replica has of a batch, as its ranks read it.
 *
 * @param tokens its rows, whole and in natural order, end to end
 * @param rowLengths how many tokens of each row are real
 */
public record ReplicaTokens(IntBuffer tokens, IntBuffer rowLengths) {
  public ReplicaTokens {
    tokens = tokens.asReadOnlyBuffer();
    rowLengths = rowLengths.asReadOnlyBuffer();
    checkRows(tokens.remaining(), rowLengths.remaining(), 1);
  }

  /**
   * Puts the rows of a replica together from what its context ranks have of each.
   *
   * @param cut how rows were dealt to the ranks
   * @param ranks the tokens of rank 0, 1, …: for each row its S/C tokens, in the order of {@link
   *     SequenceCut#blocksOf}
   * @param rowLengths how many tokens of each row are real
   * @throws InvalidRequest if there are not C ranks, all with the same number of whole blocks
   */
  public static ReplicaTokens join(SequenceCut cut, List<IntBuffer> ranks, IntBuffer rowLengths) {
    if (ranks.size() != cut.contextParallel()) {
      throw new InvalidRequest(
          "a replica of %d context ranks cannot be put together from %d"
              .formatted(cut.contextParallel(), ranks.size()));
    }
    int rows = rowLengths.remaining();
    int rankTokens = ranks.get(0).remaining();
    checkRows(rankTokens, rows, cut.blocksPerRank());
    int[] whole = new int[Math.multiplyExact(rankTokens, cut.contextParallel())];
    for (int c = 0; c < ranks.size(); c++) {
      IntBuffer rank = ranks.get(c).duplicate();
      if (rank.remaining() != rankTokens) {
        throw new InvalidRequest(
            "rank %d has %d tokens and rank 0 has %d; pass ranks of one batch"
                .formatted(c, rank.remaining(), rankTokens));
      }
      deal(cut, cut.blocksOf(c), rank, rows, whole);
    }
    return new ReplicaTokens(IntBuffer.wrap(whole), rowLengths);
  }

  /** S, the tokens of a row. */
  public int sequenceLength() {
    return tokens.remaining() / rowLengths.remaining();
  }

  /** Puts the blocks of one rank where they belong in the whole rows. */
  private static void deal(
      SequenceCut cut, List<Integer> blocks, IntBuffer rank, int rows, int[] whole) {
    int blockTokens = whole.length / rows / cut.blocks();
    for (int row = 0; row < rows; row++) {
      for (int block : blocks) {
        rank.get(whole, (row * cut.blocks() + block) * blockTokens, blockTokens);
      }
    }
  }

  private static void checkRows(int tokens, int rows, int blocks) {
    if (rows == 0 || tokens == 0 || tokens % ((long) rows * blocks) != 0) {
      throw new InvalidRequest(
          "%d tokens are not %d rows of %d equal blocks; pass tensors of one replica and batch"
              .formatted(tokens, rows, blocks));
    }
  }
}
