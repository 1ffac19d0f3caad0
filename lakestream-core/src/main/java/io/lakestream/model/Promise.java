// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/**
 * Somebody may resume the stream from a step, so nothing at or after it is given up.
 *
 * @param kind who that is
 * @param holder its name, for people
 * @param step from where on
 */
public record Promise(Kind kind, String holder, long step) {

  /** What holds a step. */
  public enum Kind {
    /** A pin. */
    PIN,

    /** The newest checkpoint of a rank. */
    RANK,

    /** The start of a rank that has not reported since. */
    SILENT_RANK
  }

  @Override
  public String toString() {
    String silence = kind == Kind.SILENT_RANK ? ", which has not reported," : "";
    return "%s%s holds step %d".formatted(holder, silence, step);
  }
}
