// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/** How the sequences of a replica are dealt to its context-parallel ranks. */
public enum CpLayout {
  /** Only the writer knows: the slices cannot be cut or joined for another C. */
  OPAQUE,

  /** Rank c has the c-th of C equal runs of every sequence. */
  CONTIGUOUS,

  /**
   * Of 2·C equal chunks, rank c has chunk c and chunk 2·C−1−c, which balances causal attention
   * (Megatron-LM and PyTorch context parallel).
   */
  ZIGZAG
}
