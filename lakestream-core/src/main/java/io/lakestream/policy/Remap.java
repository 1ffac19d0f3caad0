// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.policy;

/**
 * What a job gets whose mesh is not the one that the stream was written for. With either of the two
 * latter, context-parallel degrees may differ too: parts of the sequence are joined or cut. Tensor-
 * and pipeline-parallel degrees never matter.
 */
public enum Remap {
  /** Nothing: the meshes have to be equal. */
  NONE,

  /**
   * Each rank gets as much at a step as one was written for, so the global batch changes with the
   * number of ranks (paper §4.1). Replicas' slices count on over the steps of the stream, and each
   * step of the job takes as many as it has replicas: k steps of the stream for k times as many, a
   * k-th of one for a k-th as many.
   */
  KEEP_RANK_BATCH,

  /**
   * Each step of the stream is one of the job, whatever the number of ranks: its rows, in the order
   * of replicas, are dealt anew as numpy's {@code array_split} does. Tensors that mean a replica as
   * a whole are left out if the number of replicas differs.
   */
  KEEP_GLOBAL_BATCH
}
