// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Takes tensors out of a slice that {@link TensorTgbBuilder} laid out. */
final class SliceTensors {
  private final RankBatch batch;
  private final List<ByteBuffer> sequenceBlocks = new ArrayList<>();
  private final ByteBuffer wholeBlock;

  SliceTensors(RankBatch batch) {
    this.batch = batch;
    ByteBuffer payload = batch.payload();
    List<ByteBuffer> blocks = new ArrayList<>();
    if (batch.blockBytes().isEmpty()) {
      throw damaged("a block or more", "none");
    }
    int start = payload.position();
    for (int bytes : batch.blockBytes()) {
      blocks.add(payload.slice(start, bytes));
      start += bytes;
    }
    if (batch.schema().wholeTensors().isEmpty()) {
      this.wholeBlock = ByteBuffer.allocate(0);
    } else {
      this.wholeBlock = blocks.remove(blocks.size() - 1).order(ByteOrder.LITTLE_ENDIAN);
    }
    this.sequenceBlocks.addAll(blocks);
  }

  RankBatch.Tensor tensor(TensorSpec spec) {
    return spec.kind() == TensorSpec.Kind.SEQUENCE ? sequence(spec) : whole(spec);
  }

  private RankBatch.Tensor sequence(TensorSpec wanted) {
    List<TensorSpec> specs = batch.schema().sequenceTensors();
    long perPosition = specs.stream().mapToLong(TensorSpec::bytesPerPosition).sum();
    int blocks = sequenceBlocks.size();
    long blockBytes = blocks == 0 ? 0 : sequenceBlocks.get(0).remaining();
    long positions = blockBytes / perPosition;
    long length = blocks == 0 || blocks % 2 != 0 ? 0 : blockLength(wanted, blocks);
    if (length == 0 || positions == 0 || positions % length != 0 || blockBytes % perPosition != 0) {
      throw damaged("whole rows of %s".formatted(wanted.name()), blockBytes + " bytes in a block");
    }
    long rows = positions / length;
    int runBytes = Math.toIntExact(length * wanted.bytesPerPosition());
    ByteBuffer data = ByteBuffer.allocate(Math.toIntExact(rows * blocks * runBytes));
    long before = bytesBefore(specs, wanted, positions);
    for (int row = 0; row < rows; row++) {
      for (ByteBuffer block : sequenceBlocks) {
        if (block.remaining() != blockBytes) {
          throw damaged("blocks of equal length", block.remaining() + " bytes in one");
        }
        data.put(block.slice(Math.toIntExact(before + (long) row * runBytes), runBytes));
      }
    }
    List<Long> shape = new ArrayList<>(wanted.shape());
    shape.set(0, rows);
    shape.set(1, length * blocks);
    return new RankBatch.Tensor(wanted, shape, data.flip());
  }

  /** Positions of one row in one block: C ranks with as many blocks each share the sequence. */
  private long blockLength(TensorSpec spec, int blocks) {
    long sharers = (long) batch.mesh().contextParallel() * blocks;
    return spec.shape().get(1) % sharers == 0 ? spec.shape().get(1) / sharers : 0;
  }

  private static long bytesBefore(List<TensorSpec> specs, TensorSpec wanted, long positions) {
    long bytes = 0;
    for (TensorSpec spec : specs) {
      if (spec.equals(wanted)) {
        break;
      }
      bytes += spec.bytesPerPosition() * positions;
    }
    return bytes;
  }

  private RankBatch.Tensor whole(TensorSpec wanted) {
    ByteBuffer source = wholeBlock.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    List<RankBatch.Tensor> tensors = new ArrayList<>();
    for (TensorSpec spec : batch.schema().wholeTensors()) {
      long bytes = source.remaining() < Long.BYTES ? -1 : source.getLong();
      if (bytes < 0 || bytes > source.remaining()) {
        throw damaged("tensor " + spec.name(), bytes + " bytes");
      }
      ByteBuffer data = source.slice(source.position(), (int) bytes);
      tensors.add(new RankBatch.Tensor(spec, shapeOf(spec, bytes), data));
      source.position(source.position() + (int) bytes);
    }
    if (source.hasRemaining()) {
      throw damaged("nothing behind the last tensor", source.remaining() + " bytes");
    }
    return tensors.stream()
        .filter(tensor -> tensor.spec().equals(wanted))
        .findFirst()
        .orElseThrow(() -> new AssertionError(wanted.name() + " is not among the whole tensors"));
  }

  private List<Long> shapeOf(TensorSpec spec, long bytes) {
    List<Long> shape = new ArrayList<>(spec.shape());
    long unit = spec.bytesOfFirst();
    boolean isFixed = shape.isEmpty() || shape.get(0) != TensorSpec.ANY;
    long count = shape.isEmpty() ? 1 : isFixed ? shape.get(0) : bytes / unit;
    if (bytes % unit != 0 || bytes / unit != count) {
      throw damaged("tensor %s of shape %s".formatted(spec.name(), shape), bytes + " bytes");
    }
    if (!shape.isEmpty()) {
      shape.set(0, bytes / unit);
    }
    return shape;
  }

  private CorruptObject damaged(String expected, String found) {
    return new CorruptObject(
        "step %d".formatted(batch.step()), "slice " + batch.cell(), expected, found);
  }
}
