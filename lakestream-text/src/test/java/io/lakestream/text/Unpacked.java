// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import io.lakestream.model.Cell;
import io.lakestream.model.Rows;
import io.lakestream.model.Tgb;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A batch read back from the blocks of its slices, as a reader of the format would.
 *
 * @param replicas what each replica has
 * @param boundaries {@code cu_seqlens} of each replica
 * @param rows row counts and table of each replica
 */
record Unpacked(List<ReplicaTokens> replicas, List<int[]> boundaries, List<Rows> rows) {
  static Unpacked of(Tgb tgb, PackingSettings settings) {
    List<ReplicaTokens> replicas = new ArrayList<>();
    List<int[]> boundaries = new ArrayList<>();
    List<Rows> rows = new ArrayList<>();
    for (int d = 0; d < tgb.mesh().dataParallel(); d++) {
      List<IntBuffer> ranks = new ArrayList<>();
      for (int c = 0; c < tgb.mesh().contextParallel(); c++) {
        Tgb.Slice slice = tgb.slices().get(tgb.mesh().index(new Cell(d, c)));
        ranks.add(rank(slice, settings));
        if (c == 0) {
          rows.add(slice.rows());
          boundaries.add(ints(whole(slice).get(1)));
        }
      }
      List<ByteBuffer> whole = whole(tgb.slices().get(tgb.mesh().index(new Cell(d, 0))));
      replicas.add(ReplicaTokens.join(settings.cut(), ranks, IntBuffer.wrap(ints(whole.get(0)))));
    }
    return new Unpacked(replicas, boundaries, rows);
  }

  /** The tokens of one rank, row by row. */
  private static IntBuffer rank(Tgb.Slice slice, PackingSettings settings) {
    int run = settings.sequenceLength() / settings.cut().blocks();
    List<int[]> blocks = new ArrayList<>();
    for (ByteBuffer block : slice.blocks().subList(0, settings.blocksPerRank())) {
      blocks.add(ints(block));
    }
    IntBuffer tokens =
        IntBuffer.allocate(run * settings.blocksPerRank() * settings.rowsPerReplica());
    for (int row = 0; row < settings.rowsPerReplica(); row++) {
      for (int[] block : blocks) {
        tokens.put(block, row * run, run);
      }
    }
    return tokens.flip();
  }

  /** The tensors of the slice's last block, each after its length. */
  private static List<ByteBuffer> whole(Tgb.Slice slice) {
    ByteBuffer block = slice.blocks().get(slice.blocks().size() - 1).duplicate();
    block.order(ByteOrder.LITTLE_ENDIAN);
    List<ByteBuffer> tensors = new ArrayList<>();
    while (block.hasRemaining()) {
      int length = Math.toIntExact(block.getLong());
      tensors.add(block.slice(block.position(), length));
      block.position(block.position() + length);
    }
    return tensors;
  }

  static int[] ints(ByteBuffer bytes) {
    IntBuffer values = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
    int[] copy = new int[values.remaining()];
    values.get(copy);
    return copy;
  }

  /** The tokens of a replica, padding included. */
  int[] tokens(int d) {
    int[] copy = new int[replicas.get(d).tokens().remaining()];
    replicas.get(d).tokens().duplicate().get(copy);
    return copy;
  }

  /** The real tokens of each row of a replica. */
  int[] rowLengths(int d) {
    int[] copy = new int[replicas.get(d).rowLengths().remaining()];
    replicas.get(d).rowLengths().duplicate().get(copy);
    return copy;
  }
}
