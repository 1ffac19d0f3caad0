// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.io.IOException;

/**
 * A range of bytes that lies within an object.
 *
 * @param offset its first byte
 * @param length how many bytes it has
 */
record ByteRange(long offset, int length) {
  /** Longest array that every JVM can make. */
  static final int ARRAY_MAX = Integer.MAX_VALUE - 8;

  /**
   * Checks what a caller asks for.
   *
   * @throws IllegalArgumentException if one of them is negative
   */
  static void requireRange(long offset, int length) {
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException(
          "bad range: offset " + offset + " and length " + length + " must not be negative");
    }
  }

  /**
   * All of an object of {@code size} bytes.
   *
   * @throws IOException if no buffer is that long
   */
  static ByteRange whole(long size) throws IOException {
    if (size > ARRAY_MAX) {
      throw new IOException(
          "an object of " + size + " bytes does not fit into one buffer; read it by ranges");
    }
    return new ByteRange(0, (int) size);
  }

  /** The part of {@code [offset, offset + length)} that an object of {@code size} bytes has. */
  static ByteRange within(long size, long offset, int length) {
    long start = Math.min(offset, size);
    return new ByteRange(start, (int) Math.min(length, size - start));
  }

  /** The last {@code length} bytes of an object of {@code size} bytes. */
  static ByteRange suffix(long size, int length) {
    int count = (int) Math.min(length, size);
    return new ByteRange(size - count, count);
  }
}
