// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import com.knuddels.jtokkit.api.IntArrayList;
import io.lakestream.model.Rows;
import io.lakestream.model.TensorTgbBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The rows of one replica in one batch, filled from left to right and from top to bottom. */
final class ReplicaRows {
  private final PackingSettings settings;
  private final int sequenceLength;
  private final ByteBuffer bytes;
  private final IntBuffer tokens;
  private final int[] lengths;
  private final int[] documents;
  private final IntArrayList boundaries = new IntArrayList();

  ReplicaRows(PackingSettings settings) {
    this.settings = settings;
    this.sequenceLength = settings.sequenceLength();
    int rows = settings.rowsPerReplica();
    this.bytes = buffer(rows * sequenceLength);
    this.tokens = bytes.asIntBuffer();
    this.lengths = new int[rows];
    this.documents = new int[rows];
    boundaries.add(0);
  }

  boolean isFull() {
    return !tokens.hasRemaining();
  }

  /** Tokens that still fit the row which is being filled. */
  int roomInRow() {
    return sequenceLength - tokens.position() % sequenceLength;
  }

  /** Adds a part of a document, at most what there is room for in the row. */
  void add(int[] document, int from, int count) {
    int row = tokens.position() / sequenceLength;
    tokens.put(document, from, count);
    lengths[row] += count;
    documents[row]++;
    boolean isDocumentEnd = from + count == document.length;
    if (isDocumentEnd || roomInRow() == sequenceLength) {
      addBoundary();
    }
  }

  /**
   * Fills what is left with padding and gives the rows to a batch as those of replica {@code d}.
   */
  void finish(TensorTgbBuilder batch, int d, int padding) {
    while (!isFull()) {
      addBoundary();
      for (int room = roomInRow(); room > 0; room--) {
        tokens.put(padding);
      }
    }
    addBoundary();
    batch.replica(
        d,
        rows(),
        Map.of(
            PackingSettings.TOKENS, bytes,
            PackingSettings.ROW_LENGTHS, bytes(lengths),
            PackingSettings.CU_SEQLENS, bytes(boundaries.toArray())));
  }

  private void addBoundary() {
    if (boundaries.get(boundaries.size() - 1) != tokens.position()) {
      boundaries.add(tokens.position());
    }
  }

  /** A row's offset is that of its part of the slice's first block. */
  private Rows rows() {
    long bytesInBlock = (long) sequenceLength / settings.cut().blocks() * Integer.BYTES;
    int real = 0;
    List<Rows.Row> table = new ArrayList<>(lengths.length);
    for (int row = 0; row < lengths.length; row++) {
      real += lengths[row] > 0 ? 1 : 0;
      table.add(new Rows.Row(row * bytesInBlock, lengths[row], documents[row]));
    }
    return new Rows(real, lengths.length - real, table);
  }

  private static ByteBuffer bytes(int[] values) {
    ByteBuffer buffer = buffer(values.length);
    buffer.asIntBuffer().put(values);
    return buffer;
  }

  private static ByteBuffer buffer(int values) {
    return ByteBuffer.allocate(values * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }
}
