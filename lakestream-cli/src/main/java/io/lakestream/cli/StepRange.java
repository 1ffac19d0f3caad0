// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Steps in a row, as users write them: {@code 100:104}.
 *
 * @param first the first of them
 * @param end one past the last
 */
record StepRange(long first, long end) {

  /** What is printed of them: the last one is included. */
  @Override
  public String toString() {
    return first + 1 == end ? "step " + first : "steps %d to %d".formatted(first, end - 1);
  }

  /** Reads a range from an argument. */
  static final class Text implements ITypeConverter<StepRange> {
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18}):([0-9]{1,18})");

    @Override
    public StepRange convert(String text) {
      Matcher matcher = TEXT.matcher(text);
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "steps are written A:B, such as 100:104 for steps 100 to 103, not '%s'"
                .formatted(text));
      }
      StepRange range =
          new StepRange(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
      if (range.end <= range.first) {
        throw new TypeConversionException(
            "%s has no steps: B is one past the last, so %d:%d is step %d"
                .formatted(text, range.first, range.first + 1, range.first));
      }
      return range;
    }
  }
}
