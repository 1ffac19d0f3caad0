// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import io.lakestream.model.CpLayout;
import io.lakestream.model.DType;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.Schema;
import io.lakestream.model.SequenceCut;
import io.lakestream.model.TensorSpec;
import io.lakestream.model.TensorSpec.Kind;
import java.util.List;
import java.util.Locale;

/**
 * The shape of the batches to pack.
 *
 * @param mesh the mesh that the batches are for
 * @param cpLayout how a row is dealt to context ranks: contiguous or zigzag
 * @param sequenceLength S, tokens in a row; a multiple of C·{@code blocksPerRank}
 * @param rowsPerReplica rows that each replica gets of a batch
 * @param blocksPerRank blocks of a row that each context rank holds, even; more of them let a later
 *     job cut rows over more ranks
 */
public record PackingSettings(
    Mesh mesh, CpLayout cpLayout, int sequenceLength, int rowsPerReplica, int blocksPerRank) {
  /** Most tokens of one replica's part of a batch: a gibibyte of them, so that buffers hold it. */
  public static final int REPLICA_TOKENS_MAX = 1 << 28;

  /** The tensor of token ids, (rows, S). */
  public static final String TOKENS = "tokens";

  /** The tensor of how many tokens of each row are real and not padding, (rows). */
  public static final String ROW_LENGTHS = "row_lengths";

  /** The tensor of document boundaries over the replica's rows laid end to end. */
  public static final String CU_SEQLENS = "cu_seqlens";

  public PackingSettings {
    if (cpLayout == CpLayout.OPAQUE) {
      throw new InvalidRequest(
          "rows cannot be dealt in an opaque way; choose contiguous or zigzag");
    }
    int blocks = new SequenceCut(cpLayout, mesh.contextParallel(), blocksPerRank).blocks();
    if (rowsPerReplica < 1) {
      throw new InvalidRequest(
          message("a replica cannot have %d rows of a batch; use 1 or more", rowsPerReplica));
    }
    if ((long) sequenceLength * rowsPerReplica > REPLICA_TOKENS_MAX) {
      throw new InvalidRequest(
          message(
              "%d rows of %d tokens are more than the %d tokens that a replica may have of a batch;"
                  + " use fewer or shorter rows",
              rowsPerReplica, sequenceLength, REPLICA_TOKENS_MAX));
    }
    if (sequenceLength < 1 || sequenceLength % blocks != 0) {
      throw new InvalidRequest(
          message(
              "a row of %d tokens is not cut evenly into %d blocks (%d context ranks of %d each);"
                  + " use a multiple of %d, such as %d",
              sequenceLength,
              blocks,
              mesh.contextParallel(),
              blocksPerRank,
              blocks,
              nearestLength(sequenceLength, blocks, REPLICA_TOKENS_MAX / rowsPerReplica)));
    }
  }

  private static String message(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  /** The next longer row that is cut evenly, or the longest there may be. */
  private static int nearestLength(int sequenceLength, int blocks, int lengthMax) {
    int longer = blocks * (Math.max(0, sequenceLength) / blocks + 1);
    return longer <= lengthMax ? longer : Math.max(1, lengthMax / blocks) * blocks;
  }

  /** Tokens of a batch, padding included. */
  public long batchTokens() {
    return (long) mesh.dataParallel() * rowsPerReplica * sequenceLength;
  }

  /** What the batches consist of. */
  public Schema schema() {
    List<Long> anyLength = List.of(TensorSpec.ANY);
    return Schema.of(
        new TensorSpec(
            TOKENS, DType.I32, List.of(TensorSpec.ANY, (long) sequenceLength), Kind.SEQUENCE),
        new TensorSpec(ROW_LENGTHS, DType.I32, anyLength, Kind.ROWS),
        new TensorSpec(CU_SEQLENS, DType.I32, anyLength, Kind.SHARED));
  }

  /** How a row is cut into blocks. */
  public SequenceCut cut() {
    return new SequenceCut(cpLayout, mesh.contextParallel(), blocksPerRank);
  }
}
