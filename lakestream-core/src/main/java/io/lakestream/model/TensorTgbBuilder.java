// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gathers the tensors of a batch, replica by replica, and cuts their sequences over the replica's
 * context-parallel ranks. For use by one thread; start with {@link Tgb#tensors}.
 *
 * <p>A slice is stored block by block: each block has, for every sequence tensor in schema order,
 * the block's part of all rows. A last block has the other tensors whole, each after its length in
 * bytes (64 bits); it is left out if the schema has none.
 */
public final class TensorTgbBuilder {
  private static final int BLOCKS_PER_RANK_DEFAULT = 2;

  private final Mesh mesh;
  private final Schema schema;
  private final CpLayout cpLayout;
  private final List<Optional<Tgb.Slice>> slices;
  private int blocksPerRank = BLOCKS_PER_RANK_DEFAULT;
  private Optional<ByteBuffer> provenance = Optional.empty();

  TensorTgbBuilder(Mesh mesh, Schema schema, CpLayout cpLayout) {
    if (schema.contentType() != ContentType.SAFETENSORS) {
      throw new InvalidRequest("a batch of tensors needs a schema of tensors");
    }
    this.mesh = mesh;
    this.schema = schema;
    this.cpLayout = cpLayout;
    this.slices = new ArrayList<>(Collections.nCopies(mesh.cells(), Optional.empty()));
  }

  /**
   * Sets how many blocks of the sequence each rank holds (even; 2 unless set). More blocks let a
   * later job cut the sequence over more ranks.
   */
  public TensorTgbBuilder blocksPerRank(int blocks) {
    this.blocksPerRank = blocks;
    return this;
  }

  /** Says where the samples came from, in the user's own words. */
  public TensorTgbBuilder provenance(ByteBuffer bytes) {
    this.provenance = Optional.of(bytes);
    return this;
  }

  /**
   * Sets the tensors of replica {@code d}: for each tensor of the schema its elements, row-major
   * and little-endian, the whole sequence in its natural order.
   *
   * @throws InvalidRequest if a tensor is missing or unknown, its size does not fit the rows and
   *     the schema, the sequence cannot be cut evenly, or the replica was set before
   */
  public TensorTgbBuilder replica(int d, Rows rows, Map<String, ByteBuffer> tensors) {
    if (slices.get(mesh.index(new Cell(d, 0))).isPresent()) {
      throw new InvalidRequest("replica %d was set twice".formatted(d));
    }
    checkNames(d, tensors);
    SequenceCut cut = new SequenceCut(cpLayout, mesh.contextParallel(), blocksPerRank);
    List<ByteBuffer> sequence = sequenceBlocks(d, rows, tensors, cut);
    Optional<ByteBuffer> whole = wholeBlock(d, rows, tensors);
    for (int c = 0; c < mesh.contextParallel(); c++) {
      List<ByteBuffer> blocks = new ArrayList<>();
      if (!sequence.isEmpty()) {
        cut.blocksOf(c).forEach(block -> blocks.add(sequence.get(block)));
      }
      whole.ifPresent(blocks::add);
      slices.set(mesh.index(new Cell(d, c)), Optional.of(new Tgb.Slice(blocks, rows)));
    }
    return this;
  }

  /**
   * The batch.
   *
   * @throws InvalidRequest if a replica is missing, which the message names by its first slice
   */
  public Tgb build() {
    return new Tgb(mesh, schema, cpLayout, Tgb.complete(mesh, slices), provenance);
  }

  private void checkNames(int d, Map<String, ByteBuffer> tensors) {
    for (TensorSpec spec : schema.tensors()) {
      if (!tensors.containsKey(spec.name())) {
        throw new InvalidRequest("replica %d lacks tensor %s".formatted(d, spec.name()));
      }
    }
    if (tensors.size() != schema.tensors().size()) {
      throw new InvalidRequest(
          "replica %d has tensors %s, the schema has %s"
              .formatted(
                  d, tensors.keySet(), schema.tensors().stream().map(TensorSpec::name).toList()));
    }
  }

  private List<ByteBuffer> sequenceBlocks(
      int d, Rows rows, Map<String, ByteBuffer> tensors, SequenceCut cut) {
    List<TensorSpec> specs = schema.sequenceTensors();
    if (specs.isEmpty()) {
      return List.of();
    }
    int rowCount = rows.count();
    if (rowCount == 0) {
      throw new InvalidRequest("replica %d has sequences but no rows".formatted(d));
    }
    checkLength(d, specs.get(0), cut);
    long bytesPerRow = 0;
    for (TensorSpec spec : specs) {
      checkRows(d, spec, rowCount);
      checkBytes(d, spec, tensor(tensors, spec).remaining(), spec.bytesOfFirst(), rowCount);
      bytesPerRow += spec.bytesOfFirst();
    }
    int blockBytes = blockBytes(d, bytesPerRow / cut.blocks() * rowCount);
    List<ByteBuffer> blocks = new ArrayList<>(cut.blocks());
    for (int block = 0; block < cut.blocks(); block++) {
      ByteBuffer target = ByteBuffer.allocate(blockBytes);
      for (TensorSpec spec : specs) {
        int rowBytes = Math.toIntExact(spec.bytesOfFirst());
        int runBytes = rowBytes / cut.blocks();
        copyColumns(tensor(tensors, spec), rowBytes, block * runBytes, runBytes, target);
      }
      blocks.add(target.flip());
    }
    return blocks;
  }

  /** Copies {@code runBytes} bytes from byte {@code start} of every row. */
  private static void copyColumns(
      ByteBuffer source, int rowBytes, int start, int runBytes, ByteBuffer target) {
    int rows = source.remaining() / rowBytes;
    for (int row = 0; row < rows; row++) {
      target.put(source.slice(source.position() + row * rowBytes + start, runBytes));
    }
  }

  private static int blockBytes(int d, long bytes) {
    if (bytes > Tgb.Slice.BYTES_MAX) {
      throw new InvalidRequest(
          "a block of replica %d has %d bytes, more than %d: use more blocks or smaller batches"
              .formatted(d, bytes, Tgb.Slice.BYTES_MAX));
    }
    return (int) bytes;
  }

  private static void checkRows(int d, TensorSpec spec, int rows) {
    if (spec.shape().get(0) != TensorSpec.ANY && spec.shape().get(0) != rows) {
      throw new InvalidRequest(
          "tensor %s of replica %d has %d rows; its schema says %d, where -1 would let them vary"
              .formatted(spec.name(), d, rows, spec.shape().get(0)));
    }
  }

  private static void checkLength(int d, TensorSpec spec, SequenceCut cut) {
    long length = spec.shape().get(1);
    if (length % cut.blocks() != 0) {
      throw new InvalidRequest(
          "sequences of %d positions in replica %d cannot be cut into %d equal blocks"
              .formatted(length, d, cut.blocks()));
    }
  }

  private Optional<ByteBuffer> wholeBlock(int d, Rows rows, Map<String, ByteBuffer> tensors) {
    List<TensorSpec> specs = schema.wholeTensors();
    if (specs.isEmpty()) {
      return Optional.empty();
    }
    long bytes = 0;
    for (TensorSpec spec : specs) {
      checkWhole(d, spec, rows, tensor(tensors, spec).remaining());
      bytes += Long.BYTES + tensor(tensors, spec).remaining();
    }
    ByteBuffer block = ByteBuffer.allocate(blockBytes(d, bytes)).order(ByteOrder.LITTLE_ENDIAN);
    for (TensorSpec spec : specs) {
      ByteBuffer source = tensor(tensors, spec);
      block.putLong(source.remaining()).put(source.duplicate());
    }
    return Optional.of(block.flip());
  }

  private static void checkWhole(int d, TensorSpec spec, Rows rows, int bytes) {
    if (spec.kind() == TensorSpec.Kind.ROWS) {
      checkRows(d, spec, rows.count());
      checkBytes(d, spec, bytes, spec.bytesOfFirst(), rows.count());
    } else if (spec.shape().isEmpty()) {
      checkBytes(d, spec, bytes, spec.bytesOfFirst(), 1);
    } else if (spec.shape().get(0) != TensorSpec.ANY) {
      checkBytes(d, spec, bytes, spec.bytesOfFirst(), spec.shape().get(0));
    } else {
      checkBytes(d, spec, bytes, spec.bytesOfFirst(), bytes / spec.bytesOfFirst());
    }
  }

  private static void checkBytes(int d, TensorSpec spec, int found, long unit, long count) {
    if (found % unit != 0 || found / unit != count) {
      throw new InvalidRequest(
          "tensor %s of replica %d has %d bytes; its rows and schema ask for %d times %d"
              .formatted(spec.name(), d, found, count, unit));
    }
  }

  private static ByteBuffer tensor(Map<String, ByteBuffer> tensors, TensorSpec spec) {
    ByteBuffer buffer = tensors.get(spec.name());
    if (buffer == null) {
      throw new InvalidRequest("tensor %s is missing".formatted(spec.name()));
    }
    return buffer;
  }
}
