// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

/** Why a manifest version was committed. */
public enum CommitKind {
  /** TGBs became visible. */
  PUBLISH,
  /** A producer started a term. */
  OPEN,
  /** A producer ended its work. */
  RETIRE,
  /** The stream got its end. */
  SEAL,
  /** Steps that no checkpoint needs were given up. */
  TRIM,
  /** A range of steps is to be skipped. */
  SKIP,
  /** A fork got its first version. */
  FORK,
  /** Something that only a newer minor version knows. */
  OTHER
}
