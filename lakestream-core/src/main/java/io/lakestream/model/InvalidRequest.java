// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/** The call cannot be served as it was made; change the call. */
public final class InvalidRequest extends LakestreamException {
  private static final long serialVersionUID = 1L;

  public InvalidRequest(String message) {
    super(message);
  }
}
