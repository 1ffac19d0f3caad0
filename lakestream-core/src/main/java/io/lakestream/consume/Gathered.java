// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

import io.lakestream.consume.BlockReader.Block;
import io.lakestream.consume.ContextCut.Place;
import io.lakestream.consume.SliceAssembly.Piece;
import io.lakestream.model.Cell;
import io.lakestream.model.RankBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The stored blocks that a rank's slice is made of: read and checked, not yet put in order.
 *
 * @param selection which blocks make the slice
 * @param rows of which replicas, and which of their rows
 * @param blocksPerSlice the blocks of the sequence in a stored slice
 * @param blocks the blocks that were read
 */
record Gathered(
    Selection selection, List<RowRange> rows, int blocksPerSlice, Map<Block, ByteBuffer> blocks) {

  /** What each replica gives. */
  List<Piece> pieces() {
    List<Place> places = selection.places(blocksPerSlice);
    Optional<Place> whole = selection.whole(blocksPerSlice);
    List<Piece> pieces = new ArrayList<>();
    for (RowRange range : rows) {
      List<ByteBuffer> sequence = places.stream().map(place -> block(range, place)).toList();
      pieces.add(new Piece(range, sequence, whole.map(place -> block(range, place))));
    }
    return pieces;
  }

  private ByteBuffer block(RowRange range, Place place) {
    Block block = new Block(selection.slice(range.replica(), place.context()), place.index());
    ByteBuffer bytes = blocks.get(block);
    if (bytes == null) {
      throw new AssertionError(block + " was not read");
    }
    return bytes;
  }

  /** The slices that have something of it, in (d,c) order. */
  List<RankBatch.Source> sources() {
    TreeSet<Integer> contexts = new TreeSet<>();
    selection.places(blocksPerSlice).forEach(place -> contexts.add(place.context()));
    selection.whole(blocksPerSlice).ifPresent(place -> contexts.add(place.context()));
    List<RankBatch.Source> sources = new ArrayList<>();
    for (RowRange range : rows) {
      for (int c : contexts) {
        Cell slice = new Cell(range.replica(), c);
        sources.add(new RankBatch.Source(slice, range.first(), range.count()));
      }
    }
    return sources;
  }
}
