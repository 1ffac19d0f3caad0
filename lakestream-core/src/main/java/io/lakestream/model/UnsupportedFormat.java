// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/** The namespace was written in a format that this version does not read; upgrade the reader. */
public final class UnsupportedFormat extends LakestreamException {
  private static final long serialVersionUID = 1L;

  public UnsupportedFormat(String message) {
    super(message);
  }
}
