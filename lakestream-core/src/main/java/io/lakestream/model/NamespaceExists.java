// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/** There is a namespace already where one was to be created; open it or choose another place. */
public final class NamespaceExists extends LakestreamException {
  private static final long serialVersionUID = 1L;

  public NamespaceExists(String message) {
    super(message);
  }
}
