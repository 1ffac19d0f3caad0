// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store.bucket;

/**
 * The bytes of an object that one request asks for.
 *
 * @param kind how they are counted
 * @param start the first one, of a range; otherwise 0
 * @param length how many, of a range or a suffix; of a whole object how many may come
 */
public record Span(Kind kind, long start, long length) {
  /** How bytes are counted. */
  public enum Kind {
    /** All of them. */
    WHOLE,
    /** From a place on. */
    RANGE,
    /** The last ones. */
    SUFFIX
  }

  /** Longest array that every JVM can make. */
  private static final int ARRAY_MAX = Integer.MAX_VALUE - 8;

  /** The whole object. */
  public static Span whole() {
    return new Span(Kind.WHOLE, 0, ARRAY_MAX);
  }

  /**
   * A part of the object.
   *
   * @throws IllegalArgumentException if a number is negative
   */
  public static Span range(long start, long length) {
    if (start < 0 || length < 0) {
      throw new IllegalArgumentException(
          "bad range: offset %d and length %d must not be negative".formatted(start, length));
    }
    return new Span(Kind.RANGE, start, length);
  }

  /**
   * The end of the object.
   *
   * @throws IllegalArgumentException if the length is negative
   */
  public static Span suffix(long length) {
    if (length < 0) {
      throw new IllegalArgumentException(
          "bad range: length %d must not be negative".formatted(length));
    }
    return new Span(Kind.SUFFIX, 0, length);
  }

  /** The value of an HTTP {@code Range} header (RFC 9110, 14.2); a whole object has none. */
  public String header() {
    return switch (kind) {
      case WHOLE -> throw new IllegalStateException("a request for a whole object has no range");
      case RANGE -> "bytes=%d-%d".formatted(start, start + length - 1);
      case SUFFIX -> "bytes=-" + length;
    };
  }
}
