// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/** The store lacks what safety rests on; use another store. */
public final class UnsupportedStore extends LakestreamException {
  private static final long serialVersionUID = 1L;

  public UnsupportedStore(String message) {
    super(message);
  }
}
