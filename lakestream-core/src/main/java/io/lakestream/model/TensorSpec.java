// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.util.List;

/**
 * What the stream knows of one tensor of a batch.
 *
 * @param name its name, unique in its schema
 * @param dtype its element type
 * @param shape its dimensions as one replica has them; {@link #ANY} where batches differ
 * @param kind how it is dealt to ranks
 */
public record TensorSpec(String name, DType dtype, List<Long> shape, Kind kind) {
  /** A dimension that may differ between batches. */
  public static final long ANY = -1;

  private static final int NAME_LENGTH_MAX = 128;
  private static final int RANK_MAX = 8;

  /** Beyond any memory, and sums over all tensors of a schema do not overflow. */
  private static final long BYTES_MAX = 1L << 50;

  /** How a tensor is dealt to the ranks of a replica. */
  public enum Kind {
    /** Of shape (rows, sequence, …): cut along the sequence over the context-parallel ranks. */
    SEQUENCE,
    /** Of shape (rows, …): whole to every context-parallel rank, cut by rows if replicas change. */
    ROWS,
    /** Whole to every context-parallel rank, and meaningful for the replica as a whole only. */
    SHARED
  }

  public TensorSpec {
    shape = List.copyOf(shape);
    if (name.isEmpty() || name.length() > NAME_LENGTH_MAX) {
      throw new InvalidRequest(
          "a tensor name has 1 to %d characters, not %d".formatted(NAME_LENGTH_MAX, name.length()));
    }
    if (shape.size() > RANK_MAX) {
      throw new InvalidRequest("tensor %s has more than %d dimensions".formatted(name, RANK_MAX));
    }
    for (long dimension : shape) {
      if (dimension < ANY || dimension == 0) {
        throw new InvalidRequest(
            "tensor %s has a dimension of %d; dimensions are positive, or -1 where they vary"
                .formatted(name, dimension));
      }
    }
    checkKind(name, shape, kind);
    checkSize(name, dtype, shape);
  }

  private static void checkSize(String name, DType dtype, List<Long> shape) {
    long bytes = dtype.bytes();
    for (long dimension : shape) {
      if (Math.abs(dimension) > BYTES_MAX / bytes) {
        throw new InvalidRequest(
            "tensor %s of shape %s has more than 2^50 bytes".formatted(name, shape));
      }
      bytes *= Math.abs(dimension);
    }
  }

  private static void checkKind(String name, List<Long> shape, Kind kind) {
    int needed = kind == Kind.SEQUENCE ? 2 : kind == Kind.ROWS ? 1 : 0;
    if (shape.size() < needed) {
      throw new InvalidRequest(
          "tensor %s of kind %s needs %d dimensions or more, not %d"
              .formatted(name, kind, needed, shape.size()));
    }
    // What varies is computed from a tensor's bytes and everything else, so it is one dimension.
    for (int i = 1; i < shape.size(); i++) {
      if (shape.get(i) == ANY) {
        throw new InvalidRequest("tensor %s may vary in its first dimension only".formatted(name));
      }
    }
  }

  /** Bytes of one element of the first two dimensions of a sequence tensor. */
  public long bytesPerPosition() {
    return bytesFrom(2);
  }

  /** Bytes of one element of the first dimension, such as a row; of all for a scalar. */
  public long bytesOfFirst() {
    return bytesFrom(1);
  }

  private long bytesFrom(int dimension) {
    long bytes = dtype.bytes();
    for (int i = dimension; i < shape.size(); i++) {
      bytes *= shape.get(i);
    }
    return bytes;
  }
}
