// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

import io.lakestream.model.CpLayout;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.SequenceCut;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the blocks of a sequence are that a context-parallel rank of C′ holds, in a batch that was
 * written for C: pure.
 *
 * @param layout how sequences are dealt
 * @param from C
 * @param to C′
 */
record ContextCut(CpLayout layout, int from, int to) {

  /**
   * Where a block is stored.
   *
   * @param context the rank of C whose slice has it
   * @param index its position in that slice
   */
  record Place(int context, int index) {}

  ContextCut {
    if (layout == CpLayout.OPAQUE && from != to) {
      throw new InvalidRequest(
          ("the batch was written for %d context ranks in a layout that only its writer knows, so"
                  + " it cannot be read by %d")
              .formatted(from, to));
    }
  }

  /** Whether a rank holds whole slices as they were written, one or several. */
  boolean joinsSlices() {
    return from % to == 0;
  }

  /** The ranks of C whose whole slices a rank of C′ holds, if it does; they lie side by side. */
  List<Integer> joined(int rank) {
    List<Integer> contexts = new ArrayList<>();
    int count = from / to;
    for (int i = 0; i < count; i++) {
      contexts.add(rank * count + i);
    }
    return contexts;
  }

  /**
   * The blocks of a rank of C′, in the order in which its slice would have them.
   *
   * @param blocksPerRank how many a rank of C has
   * @throws InvalidRequest if the blocks cannot be dealt evenly to ranks of C′
   */
  List<Place> places(int rank, int blocksPerRank) {
    int blocks = from * blocksPerRank;
    if (blocks % (2 * to) != 0) {
      throw new InvalidRequest(
          ("sequences are stored in %d blocks, which cannot be dealt to %d context ranks; %d blocks"
                  + " would do, which is %d for each rank of the writer")
              .formatted(blocks, to, blocksNeeded(), blocksNeeded() / from));
    }
    List<Place> places = new ArrayList<>();
    SequenceCut cut = new SequenceCut(layout, to, blocks / to);
    for (int block : cut.blocksOf(rank)) {
      places.add(place(block, blocksPerRank));
    }
    return places;
  }

  private int blocksNeeded() {
    int common = BigInteger.valueOf(from).gcd(BigInteger.valueOf(to)).intValue();
    return 2 * from / common * to;
  }

  /** The inverse of {@link SequenceCut#blocksOf}. */
  private Place place(int block, int blocksPerRank) {
    if (layout != CpLayout.ZIGZAG) {
      return new Place(block / blocksPerRank, block % blocksPerRank);
    }
    int half = blocksPerRank / 2;
    int chunk = block / half;
    return chunk < from
        ? new Place(chunk, block % half)
        : new Place(2 * from - 1 - chunk, half + block % half);
  }
}
