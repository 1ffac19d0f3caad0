// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Gathers the slices of a batch of raw bytes. For use by one thread; start with {@link Tgb#raw}.
 */
public final class RawTgbBuilder {
  /** Longest block: large enough that its checksum is nothing, small enough to re-read. */
  private static final int BLOCK_BYTES = 8 * 1024 * 1024;

  private final Mesh mesh;
  private final List<Optional<Tgb.Slice>> slices;
  private CpLayout cpLayout = CpLayout.OPAQUE;
  private Optional<ByteBuffer> provenance = Optional.empty();

  RawTgbBuilder(Mesh mesh) {
    this.mesh = mesh;
    this.slices = new ArrayList<>(Collections.nCopies(mesh.cells(), Optional.empty()));
  }

  /** Sets slice (d,c) to the remaining bytes of {@code data}, without counting its rows. */
  public RawTgbBuilder slice(int d, int c, ByteBuffer data) {
    return slice(d, c, data, Rows.UNKNOWN);
  }

  /**
   * Sets slice (d,c) to the remaining bytes of {@code data}, whose memory must not change until the
   * batch is durable.
   *
   * @throws InvalidRequest if the cell is outside the mesh, or was set before
   */
  public RawTgbBuilder slice(int d, int c, ByteBuffer data, Rows rows) {
    int index = mesh.index(new Cell(d, c));
    if (slices.get(index).isPresent()) {
      throw new InvalidRequest("slice (%d,%d) was set twice".formatted(d, c));
    }
    slices.set(index, Optional.of(new Tgb.Slice(blocks(data), rows)));
    return this;
  }

  /** Says how the user dealt sequences to context-parallel ranks; opaque unless said. */
  public RawTgbBuilder cpLayout(CpLayout layout) {
    this.cpLayout = layout;
    return this;
  }

  /** Says where the samples came from, in the user's own words. */
  public RawTgbBuilder provenance(ByteBuffer bytes) {
    this.provenance = Optional.of(bytes);
    return this;
  }

  /**
   * The batch.
   *
   * @throws InvalidRequest if a slice is missing or empty, which the message names
   */
  public Tgb build() {
    return new Tgb(mesh, Schema.RAW, cpLayout, Tgb.complete(mesh, slices), provenance);
  }

  private static List<ByteBuffer> blocks(ByteBuffer data) {
    List<ByteBuffer> blocks = new ArrayList<>();
    int end = data.limit();
    for (int start = data.position(); start < end; start += Math.min(BLOCK_BYTES, end - start)) {
      blocks.add(data.slice(start, Math.min(BLOCK_BYTES, end - start)));
    }
    return blocks;
  }
}
