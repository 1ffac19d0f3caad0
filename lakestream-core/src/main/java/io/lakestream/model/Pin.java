// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/**
 * A promise that the stream can be resumed from a step, for as long as nobody takes it back.
 *
 * @param name its name, which no other pin ever has
 * @param step the step
 * @param label what it is for, for people
 * @param holder who relies on it
 */
public record Pin(String name, long step, String label, Holder holder) {

  /** Who relies on a pin. */
  public enum Holder {
    /** Somebody who set it and takes it back. */
    USER,

    /** A namespace that was forked from this one, which moves it and takes it back. */
    FORK
  }
}
