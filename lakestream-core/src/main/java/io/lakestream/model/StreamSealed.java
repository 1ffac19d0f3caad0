// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/** The stream has an end and takes no more batches; stop producing. */
public final class StreamSealed extends LakestreamException {
  private static final long serialVersionUID = 1L;

  public StreamSealed(String message) {
    super(message);
  }
}
