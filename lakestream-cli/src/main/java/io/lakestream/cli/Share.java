// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * One of several equal shares of an input.
 *
 * @param index which one, from 0
 * @param of how many there are
 */
record Share(int index, int of) {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,6})/([0-9]{1,6})");

  /** Reads a share from an argument. */
  static final class Text implements ITypeConverter<Share> {
    @Override
    public Share convert(String text) {
      Matcher matcher = TEXT.matcher(text);
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "a share is written I/N, such as 0/4 for the first of four, not '%s'".formatted(text));
      }
      int index = Integer.parseInt(matcher.group(1));
      int of = Integer.parseInt(matcher.group(2));
      if (index >= of) {
        throw new TypeConversionException(
            "there is no share %d of %d; shares are numbered from 0".formatted(index, of));
      }
      return new Share(index, of);
    }
  }
}
