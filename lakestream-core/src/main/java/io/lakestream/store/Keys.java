// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

/**
 * The rules for keys, the same in every store. A key is a relative path of printable ASCII whose
 * parts are joined by {@code /}; no part is empty, {@code .} or {@code ..}. Every store checks its
 * arguments here, so that a key which works in one store works in all of them.
 */
public final class Keys {

  /** Longest key: S3, GCS and Azure take 1,024 bytes, of which 256 are left to the namespace. */
  public static final int MAX_LENGTH = 768;

  /**
   * Longest part of a key: of the 255 bytes that one name in a file system may have, the others are
   * left to what a store on files adds while it writes.
   */
  public static final int MAX_PART_LENGTH = 200;

  private Keys() {}

  /**
   * Returns {@code key} if it is one.
   *
   * @throws IllegalArgumentException if it is not; the message holds the key and the rule
   */
  public static String requireKey(String key) {
    requireLength(key);
    requireParts(key, key);
    return key;
  }

  /**
   * Returns {@code prefix} if it is empty or a key followed by {@code /}.
   *
   * @throws IllegalArgumentException if it is not; the message holds the prefix and the rule
   */
  public static String requirePrefix(String prefix) {
    if (!prefix.isEmpty()) {
      requireLength(prefix);
      check(prefix.endsWith("/"), prefix, "a prefix is empty or ends in '/'");
      requireParts(prefix, prefix.substring(0, prefix.length() - 1));
    }
    return prefix;
  }

  /** What stands before the first {@code /} of a key or prefix; all of it if there is none. */
  public static String firstPart(String key) {
    int slash = key.indexOf('/');
    return slash < 0 ? key : key.substring(0, slash);
  }

  /** True if {@code name}, one that a file system gave, can be part of a key. */
  static boolean isPart(String name) {
    return name.length() <= MAX_PART_LENGTH && name.chars().allMatch(Keys::isPrintable);
  }

  private static boolean isPrintable(int c) {
    return c >= ' ' && c <= '~';
  }

  private static void requireLength(String key) {
    check(key.length() <= MAX_LENGTH, key, "it is longer than " + MAX_LENGTH + " characters");
  }

  private static void requireParts(String key, String path) {
    int start = 0;
    for (int i = 0; i <= path.length(); i++) {
      if (i == path.length() || path.charAt(i) == '/') {
        requirePart(key, path, start, i);
        start = i + 1;
      } else {
        char c = path.charAt(i);
        check(isPrintable(c), key, "characters outside printable ASCII are not allowed");
      }
    }
  }

  private static void requirePart(String key, String path, int start, int end) {
    int length = end - start;
    check(length > 0, key, "a key is a relative path without empty parts");
    check(length <= MAX_PART_LENGTH, key, "a part is longer than " + MAX_PART_LENGTH);
    boolean isDots =
        path.charAt(start) == '.'
            && (length == 1 || (length == 2 && path.charAt(start + 1) == '.'));
    check(!isDots, key, "no part may be '.' or '..'");
  }

  private static void check(boolean isGood, String key, String rule) {
    if (!isGood) {
      throw new IllegalArgumentException("bad key '" + printable(key) + "': " + rule);
    }
  }

  private static String printable(String key) {
    StringBuilder text = new StringBuilder();
    key.chars()
        .limit(MAX_LENGTH)
        .forEach(
            c -> {
              if (isPrintable(c)) {
                text.append((char) c);
              } else {
                text.append(String.format("\\u%04x", c));
              }
            });
    return text.toString();
  }
}
