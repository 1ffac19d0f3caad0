// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

import io.lakestream.format.Boundary;

/**
 * Something that must hold after every event. It is told of all events in the order in which the
 * store lets them take effect, and throws {@link Violation} at the first that breaks it.
 */
public interface Invariant {

  /** A manifest version was created; it is the head if it is above the boundary. */
  default void versionCreated(CreatedVersion version) {}

  /** A boundary was created. */
  default void boundaryCreated(Boundary boundary) {}

  /** An object was created or replaced. */
  default void objectPut(String key) {}

  /** An object was deleted. */
  default void objectDeleted(String key) {}

  /** A producer was told that a batch is a step. */
  default void acknowledged(String producer, long seq) {}

  /**
   * Somebody may rely on a step from now on.
   *
   * @param promise a name for the promise, the key of the pin if it is one; it replaces one of the
   *     same name
   */
  default void promised(String promise, long step) {}

  /** Nobody relies on a promise any more, if anybody did. */
  default void released(String promise) {}

  /** Everybody is done, nothing is on its way any more, and the last reclamation is over. */
  default void settled() {}
}
