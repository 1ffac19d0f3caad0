// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/** Told of each batch that became a step, in order, on the producer's committing thread. */
@FunctionalInterface
public interface PublicationListener {
  /** A batch became a step. What this throws ends the producer; its next call throws it. */
  void published(Publication publication);

  /** A listener that does nothing. */
  static PublicationListener none() {
    return publication -> {};
  }
}
