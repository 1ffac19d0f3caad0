// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * One rank's part of one step, checked. Its buffers are the caller's own.
 *
 * <p>A job whose mesh is not the stream's gets what its slice would be, had the step been written
 * for the job's mesh: payload and tensors alike.
 *
 * @param info the step of the stream that it was read from
 * @param mesh the mesh that the slice is one of: the job's
 * @param cell the slice
 * @param cpLayout how its sequences are dealt to context-parallel ranks
 * @param schema what the slice consists of
 * @param payload the slice's bytes, read-only
 * @param blockBytes lengths of the blocks that the payload consists of
 * @param sources the stored slices that it was made of, in (d,c) order
 */
public record RankBatch(
    StepInfo info,
    Mesh mesh,
    Cell cell,
    CpLayout cpLayout,
    Schema schema,
    ByteBuffer payload,
    List<Integer> blockBytes,
    List<Source> sources) {

  /**
   * A stored slice that a rank's part is made of: all of it, some of its rows, or the part of its
   * sequences that the rank's mesh and layout say.
   *
   * @param slice the slice, as the step was written
   * @param firstRow the first of its rows
   * @param rows how many of them, or {@link #ALL_ROWS}
   */
  public record Source(Cell slice, int firstRow, int rows) {
    /** All rows of a slice. */
    public static final int ALL_ROWS = -1;
  }

  public RankBatch {
    payload = payload.asReadOnlyBuffer();
    blockBytes = List.copyOf(blockBytes);
    sources = List.copyOf(sources);
  }

  /** A slice as it was written. */
  public RankBatch(
      StepInfo info,
      Mesh mesh,
      Cell cell,
      CpLayout cpLayout,
      Schema schema,
      ByteBuffer payload,
      List<Integer> blockBytes) {
    this(
        info,
        mesh,
        cell,
        cpLayout,
        schema,
        payload,
        blockBytes,
        List.of(new Source(cell, 0, Source.ALL_ROWS)));
  }

  /** The number of the step. */
  public long step() {
    return info.step();
  }

  /** The slice's bytes, read-only and with a position of its own. */
  @Override
  public ByteBuffer payload() {
    return payload.duplicate();
  }

  /**
   * A tensor of the slice: of a sequence tensor this rank's part of the sequence, in the order in
   * which the context layout deals it.
   *
   * @throws InvalidRequest if the schema has no such tensor
   * @throws CorruptObject if the payload does not fit the schema
   */
  public Tensor tensor(String name) {
    TensorSpec spec =
        schema.tensors().stream()
            .filter(tensor -> tensor.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new InvalidRequest(
                        "step %d has no tensor '%s'; it has %s"
                            .formatted(
                                step(),
                                name,
                                schema.tensors().stream().map(TensorSpec::name).toList())));
    return new SliceTensors(this).tensor(spec);
  }

  /**
   * A tensor.
   *
   * @param spec its name, type and kind
   * @param shape its dimensions
   * @param data its elements, row-major and little-endian
   */
  public record Tensor(TensorSpec spec, List<Long> shape, ByteBuffer data) {
    public Tensor {
      shape = List.copyOf(shape);
      data = data.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The elements, read-only, little-endian and with a position of its own. */
    @Override
    public ByteBuffer data() {
      return data.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }
  }
}
