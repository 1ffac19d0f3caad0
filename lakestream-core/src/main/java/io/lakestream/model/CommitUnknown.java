// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.io.IOException;

/**
 * It is not known whether a commit took effect. Doing the same again settles it: opening the
 * producer, sealing or retiring again, or looking for the namespace. Nothing was deleted or given
 * up.
 */
public final class CommitUnknown extends LakestreamException {
  private static final long serialVersionUID = 1L;

  public CommitUnknown(String message) {
    super(message);
  }

  /**
   * @param cause the last failure of the store
   */
  public CommitUnknown(String message, IOException cause) {
    super(message, cause);
  }
}
