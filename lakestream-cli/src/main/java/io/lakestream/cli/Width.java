// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import org.jline.utils.WCWidth;

/** How many columns of a terminal a text takes, and how to make do with fewer. */
final class Width {
  private static final String ELLIPSIS = "…";

  private Width() {}

  /** The columns that a text without control characters takes. */
  static int of(String text) {
    return text.codePoints().map(Width::of).sum();
  }

  private static int of(int code) {
    return Math.max(0, WCWidth.wcwidth(code));
  }

  /** The text if it fits, else its beginning and an ellipsis. */
  static String cut(String text, int columns) {
    return of(text) <= columns ? text : head(text, columns - 1) + ELLIPSIS;
  }

  /** The text if it fits, else its beginning and its end around an ellipsis. */
  static String shorten(String text, int columns) {
    if (of(text) <= columns) {
      return text;
    }
    int tail = (columns - 1) / 2;
    return head(text, columns - 1 - tail) + ELLIPSIS + tail(text, tail);
  }

  private static String head(String text, int columns) {
    int end = 0;
    int taken = 0;
    while (end < text.length() && taken + of(text.codePointAt(end)) <= columns) {
      taken += of(text.codePointAt(end));
      end += Character.charCount(text.codePointAt(end));
    }
    return text.substring(0, end);
  }

  private static String tail(String text, int columns) {
    int start = text.length();
    int taken = 0;
    while (start > 0 && taken + of(text.codePointBefore(start)) <= columns) {
      taken += of(text.codePointBefore(start));
      start -= Character.charCount(text.codePointBefore(start));
    }
    return text.substring(start);
  }
}
