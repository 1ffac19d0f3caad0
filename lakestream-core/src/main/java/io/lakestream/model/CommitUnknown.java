// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/**
 * It is not known whether a commit took effect; open the producer again, which settles it. Nothing
 * was deleted or given up.
 */
public final class CommitUnknown extends LakestreamException {
  private static final long serialVersionUID = 1L;

  public CommitUnknown(String message) {
    super(message);
  }
}
