// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/** There is no namespace at this place; check the URI or create one. */
public final class NamespaceNotFound extends LakestreamException {
  private static final long serialVersionUID = 1L;

  public NamespaceNotFound(String message) {
    super(message);
  }
}
