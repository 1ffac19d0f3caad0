// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Schema;
import io.lakestream.model.TensorSpec;
import io.lakestream.model.TensorSpec.Kind;
import io.lakestream.model.Tgb;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Puts the slice of a rank together, in the layout in which a writer would have stored it had it
 * written for the job's mesh: for each block of the sequence all tensors, all rows; then the other
 * tensors, each behind its length.
 */
final class SliceAssembly {
  private final Schema schema;
  private final List<Piece> pieces;

  /**
   * What one replica has to give.
   *
   * @param rows its rows that are wanted
   * @param sequence the blocks of the sequence that are wanted, with all rows
   * @param whole the block of the other tensors
   */
  record Piece(RowRange rows, List<ByteBuffer> sequence, Optional<ByteBuffer> whole) {
    /** All blocks as they are. */
    List<ByteBuffer> blocks() {
      List<ByteBuffer> blocks = new ArrayList<>(sequence);
      whole.ifPresent(blocks::add);
      return blocks;
    }
  }

  /** Bytes that do not fit the schema or the number of rows. */
  static final class Misfit extends Exception {
    private static final long serialVersionUID = 1L;

    private final String expected;
    private final String found;

    Misfit(String expected, String found) {
      super(expected + ", not " + found);
      this.expected = expected;
      this.found = found;
    }

    String expected() {
      return expected;
    }

    String found() {
      return found;
    }
  }

  SliceAssembly(Schema schema, List<Piece> pieces) {
    this.schema = schema;
    this.pieces = List.copyOf(pieces);
  }

  /** The schema of what has other rows than a replica was written with. */
  static Schema dealt(Schema schema) {
    List<TensorSpec> tensors = new ArrayList<>();
    for (TensorSpec spec : schema.tensors()) {
      if (spec.kind() != Kind.SHARED) {
        List<Long> shape = new ArrayList<>(spec.shape());
        shape.set(0, TensorSpec.ANY);
        tensors.add(new TensorSpec(spec.name(), spec.dtype(), shape, spec.kind()));
      }
    }
    return new Schema(schema.contentType(), tensors);
  }

  /** The blocks of the slice. */
  List<ByteBuffer> blocks() throws Misfit {
    List<ByteBuffer> blocks = new ArrayList<>();
    for (int i = 0; i < pieces.get(0).sequence().size(); i++) {
      blocks.add(sequenceBlock(i));
    }
    if (schema.wholeTensors().stream().anyMatch(spec -> spec.kind() == Kind.ROWS)) {
      blocks.add(rowsBlock());
    }
    return blocks;
  }

  private ByteBuffer sequenceBlock(int index) throws Misfit {
    List<TensorSpec> specs = schema.sequenceTensors();
    long perPosition = specs.stream().mapToLong(TensorSpec::bytesPerPosition).sum();
    long positions = positions(index, perPosition);
    ByteBuffer block = ByteBuffer.allocate(checked(rows() * perPosition * positions));
    long before = 0;
    for (TensorSpec spec : specs) {
      long run = spec.bytesPerPosition() * positions;
      for (Piece piece : pieces) {
        copyRows(piece, piece.sequence().get(index), before * piece.rows().stored(), run, block);
      }
      before += run;
    }
    return block.flip();
  }

  /** Positions of a row in a block, the same in all pieces. */
  private long positions(int index, long perPosition) throws Misfit {
    long positions = 0;
    for (Piece piece : pieces) {
      long stored = piece.sequence().get(index).remaining();
      long perRow = perPosition * piece.rows().stored();
      if (stored % perRow != 0 || (positions > 0 && stored / perRow != positions)) {
        throw new Misfit(
            "a block of %d rows with %d bytes a position"
                .formatted(piece.rows().stored(), perPosition),
            stored + " bytes");
      }
      positions = stored / perRow;
    }
    return positions;
  }

  private long rows() {
    return pieces.stream().mapToLong(piece -> piece.rows().count()).sum();
  }

  private static void copyRows(
      Piece piece, ByteBuffer source, long start, long rowBytes, ByteBuffer target) {
    long first = start + piece.rows().first() * rowBytes;
    long length = piece.rows().count() * rowBytes;
    target.put(source.slice(Math.toIntExact(first), Math.toIntExact(length)));
  }

  private ByteBuffer rowsBlock() throws Misfit {
    List<List<ByteBuffer>> stored = new ArrayList<>();
    for (Piece piece : pieces) {
      stored.add(wholeTensors(piece));
    }
    List<TensorSpec> specs = schema.wholeTensors();
    ByteBuffer block = ByteBuffer.allocate(rowsBlockBytes()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < specs.size(); i++) {
      if (specs.get(i).kind() == Kind.ROWS) {
        long perRow = specs.get(i).bytesOfFirst();
        block.putLong(rows() * perRow);
        for (int p = 0; p < pieces.size(); p++) {
          copyRows(pieces.get(p), stored.get(p).get(i), 0, perRow, block);
        }
      }
    }
    return block.flip();
  }

  private int rowsBlockBytes() {
    long bytes = 0;
    for (TensorSpec spec : schema.wholeTensors()) {
      bytes += spec.kind() == Kind.ROWS ? Long.BYTES + rows() * spec.bytesOfFirst() : 0;
    }
    return checked(bytes);
  }

  /** The tensors of the whole block in order; those that have rows have the right number. */
  private List<ByteBuffer> wholeTensors(Piece piece) throws Misfit {
    ByteBuffer source =
        piece.whole().orElseThrow(() -> new AssertionError("the whole block was not read"));
    source = source.slice().order(ByteOrder.LITTLE_ENDIAN);
    List<ByteBuffer> tensors = new ArrayList<>();
    for (TensorSpec spec : schema.wholeTensors()) {
      long bytes = source.remaining() < Long.BYTES ? -1 : source.getLong();
      long wanted = spec.kind() == Kind.ROWS ? piece.rows().stored() * spec.bytesOfFirst() : bytes;
      if (bytes < 0 || bytes > source.remaining() || bytes != wanted) {
        throw new Misfit(
            "tensor %s of %d rows".formatted(spec.name(), piece.rows().stored()), bytes + " bytes");
      }
      tensors.add(source.slice(source.position(), (int) bytes));
      source.position(source.position() + (int) bytes);
    }
    return tensors;
  }

  /** A length that a buffer can have. */
  static int checked(long bytes) {
    if (bytes > Tgb.Slice.BYTES_MAX) {
      throw new InvalidRequest(
          "a rank's part of a step would have %d bytes, more than %d: use more ranks"
              .formatted(bytes, Tgb.Slice.BYTES_MAX));
    }
    return (int) bytes;
  }
}
