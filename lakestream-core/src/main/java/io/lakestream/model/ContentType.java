// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/** What the bytes of a slice are. */
public enum ContentType {
  /** Bytes that only the user understands. */
  RAW,

  /**
   * Named tensors with the data types and shapes of the safetensors format; their description is
   * kept once, in the stream's schema table, instead of in a header of each slice.
   */
  SAFETENSORS
}
