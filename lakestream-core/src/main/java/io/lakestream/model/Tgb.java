// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A Transactional Global Batch before it is written: the data of one global batch for every rank
 * (paper §4.1). Immutable as long as nobody writes to the memory behind its buffers, which the
 * producer reads until the batch is durable.
 */
public final class Tgb {
  private final Mesh mesh;
  private final Schema schema;
  private final CpLayout cpLayout;
  private final List<Slice> slices;
  private final Optional<ByteBuffer> provenance;

  /**
   * The data of one cell.
   *
   * @param blocks its bytes, cut into the smallest units that a read may ask for; not empty
   * @param rows how many rows it has
   */
  public record Slice(List<ByteBuffer> blocks, Rows rows) {
    /** Longest slice in bytes: what a reader can hold in one buffer, trailer included. */
    public static final int BYTES_MAX = Integer.MAX_VALUE - 1024 * 1024;

    public Slice {
      blocks = blocks.stream().map(ByteBuffer::asReadOnlyBuffer).toList();
    }

    /** Length in bytes. */
    public long bytes() {
      return blocks.stream().mapToLong(ByteBuffer::remaining).sum();
    }
  }

  Tgb(
      Mesh mesh,
      Schema schema,
      CpLayout cpLayout,
      List<Slice> slices,
      Optional<ByteBuffer> provenance) {
    this.mesh = mesh;
    this.schema = schema;
    this.cpLayout = cpLayout;
    this.slices = List.copyOf(slices);
    this.provenance = provenance.map(ByteBuffer::asReadOnlyBuffer);
    checkSlices();
  }

  private void checkSlices() {
    for (int i = 0; i < slices.size(); i++) {
      long bytes = slices.get(i).bytes();
      if (bytes == 0) {
        throw new InvalidRequest("slice %s of the batch is empty".formatted(mesh.cell(i)));
      }
      if (bytes > Slice.BYTES_MAX) {
        throw new InvalidRequest(
            "slice %s of the batch has %d bytes; a slice holds at most %d: use a larger mesh or"
                    .formatted(mesh.cell(i), bytes, Slice.BYTES_MAX)
                + " smaller batches");
      }
    }
  }

  /** Starts a batch of raw bytes. */
  public static RawTgbBuilder raw(Mesh mesh) {
    return new RawTgbBuilder(mesh);
  }

  /**
   * Starts a batch of tensors, given per replica and cut over its context-parallel ranks.
   *
   * @param cpLayout how sequences are dealt: {@link CpLayout#OPAQUE} only for C = 1
   */
  public static TensorTgbBuilder tensors(Mesh mesh, Schema schema, CpLayout cpLayout) {
    return new TensorTgbBuilder(mesh, schema, cpLayout);
  }

  /** The mesh that the batch was made for. */
  public Mesh mesh() {
    return mesh;
  }

  /** What the batch consists of. */
  public Schema schema() {
    return schema;
  }

  /** How its sequences are dealt to context-parallel ranks. */
  public CpLayout cpLayout() {
    return cpLayout;
  }

  /** The slices in (d,c) order, one for each cell of the mesh. */
  public List<Slice> slices() {
    return slices;
  }

  /** Where the samples of the batch came from, in the writer's own words, if it says. */
  public Optional<ByteBuffer> provenance() {
    return provenance.map(ByteBuffer::duplicate);
  }

  /** Length of all slices in bytes. */
  public long bytes() {
    return slices.stream().mapToLong(Slice::bytes).sum();
  }

  /** The slices gathered by a builder, complete or an error that names the first missing cell. */
  static List<Slice> complete(Mesh mesh, List<Optional<Slice>> slices) {
    List<Slice> complete = new ArrayList<>(slices.size());
    for (int i = 0; i < slices.size(); i++) {
      Cell cell = mesh.cell(i);
      complete.add(
          slices
              .get(i)
              .orElseThrow(
                  () ->
                      new InvalidRequest(
                          "slice %s of the %s batch is missing".formatted(cell, mesh))));
    }
    return complete;
  }
}
