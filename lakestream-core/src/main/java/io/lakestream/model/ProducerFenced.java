// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/**
 * The producer's term has ended. Either a later opening of the same id took over, then this
 * producer must stop; or it was retired, by an operator or as idle, then it may be opened again and
 * goes on behind its last published batch. The message says which.
 */
public final class ProducerFenced extends LakestreamException {
  private static final long serialVersionUID = 1L;

  public ProducerFenced(String message) {
    super(message);
  }
}
