// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

/**
 * A record of the format with values that no writer gives it. For whoever makes a record it is a
 * broken invariant; what was read from the store becomes a {@link
 * io.lakestream.model.CorruptObject} by {@link Decoding}, which catches no other assertion.
 */
final class MalformedRecord extends AssertionError {
  private static final long serialVersionUID = 1L;

  MalformedRecord(String message) {
    super(message);
  }
}
