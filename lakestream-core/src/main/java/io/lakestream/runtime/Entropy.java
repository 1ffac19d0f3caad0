// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.runtime;

/** Chance as the product sees it. Safe for use by several threads. */
public interface Entropy {

  /** 64 random bits. Names and commit ids are made of these, so they must be unguessably many. */
  long nextLong();

  /** A uniform number in {@code [0, 1)}. */
  double nextDouble();
}
