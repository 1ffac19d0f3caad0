// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/** A later opening of the same producer id took over; this producer must stop. */
public final class ProducerFenced extends LakestreamException {
  private static final long serialVersionUID = 1L;

  public ProducerFenced(String message) {
    super(message);
  }
}
