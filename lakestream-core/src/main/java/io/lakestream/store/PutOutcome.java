// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

/**
 * The answer of a store to {@link ObjectStore#putIfAbsent}. Three-valued on purpose: nobody below
 * or above may turn {@link #UNKNOWN} into one of the other two without new evidence.
 */
public enum PutOutcome {
  /** This call created the object; its bytes are durable and will never change. */
  CREATED,

  /**
   * The key was taken when the store looked. Whose object it is, the reply cannot say: an earlier
   * attempt of the same caller may be what occupies it.
   */
  OCCUPIED,

  /**
   * The store may or may not have created the object, now or later: a lost reply, a time-out, a
   * resent request. A miss on a later read proves nothing, since the put may still land.
   */
  UNKNOWN
}
