// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

/**
 * The store refuses a call because it is asked too much (429, or 503 with a word to slow down). It
 * says nothing of the object, so a store does not throw it if it knows that only this one object is
 * changed too often.
 */
public final class ThrottledException extends TransientStoreException {
  private static final long serialVersionUID = 1L;

  /** A refusal described by {@code message}, which names the operation and the key. */
  public ThrottledException(String message, Throwable cause) {
    super(message, cause);
  }

  /** A refusal described by {@code message}, which names the operation and the key. */
  public ThrottledException(String message) {
    super(message);
  }
}
