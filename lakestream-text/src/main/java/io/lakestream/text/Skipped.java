// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

/**
 * How many files and lines of an input were left out.
 *
 * @param binary files that hold something other than text
 * @param empty files and lines that hold nothing
 */
public record Skipped(long binary, long empty) {
  static final Skipped NONE = new Skipped(0, 0);

  Skipped plus(Skipped other) {
    return new Skipped(binary + other.binary, empty + other.empty);
  }

  Skipped plusBinary() {
    return new Skipped(binary + 1, empty);
  }

  Skipped plusEmpty() {
    return new Skipped(binary, empty + 1);
  }
}
