// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.io.IOException;

/** The store failed beyond the retries that were due; try again later or mend the store. */
public final class StoreUnavailable extends LakestreamException {
  private static final long serialVersionUID = 1L;

  public StoreUnavailable(String message, IOException cause) {
    super(message, cause);
  }
}
