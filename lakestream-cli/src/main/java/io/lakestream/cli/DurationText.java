// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time with its unit from an argument. */
public final class DurationText implements ITypeConverter<Duration> {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})([smh])");

  @Override
  public Duration convert(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "a time is written with its unit, such as 90s, 10m or 2h, not '%s'".formatted(text));
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }
}
