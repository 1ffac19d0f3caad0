// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/** An object that the stream refers to is gone, though no reclamation took it; restore it. */
public final class DataLoss extends LakestreamException {
  private static final long serialVersionUID = 1L;

  public DataLoss(String message) {
    super(message);
  }
}
