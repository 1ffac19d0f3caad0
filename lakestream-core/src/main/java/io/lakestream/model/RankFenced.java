// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/** The job of a rank was started anew, or removed: end the process, what it does counts no more. */
public final class RankFenced extends LakestreamException {
  private static final long serialVersionUID = 1L;

  public RankFenced(String message) {
    super(message);
  }
}
