// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.bench;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A length in decimal units, such as {@code 100KB}. */
final class SizeText implements ITypeConverter<Integer> {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,10})(B|KB|MB|GB)?");

  @Override
  public Integer convert(String text) {
    Matcher matcher = TEXT.matcher(text.strip().toUpperCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "a size is a number with B, KB, MB or GB behind it, such as 100KB, not '%s'"
              .formatted(text));
    }
    String unit = matcher.group(2) == null ? "B" : matcher.group(2);
    long bytes = Long.parseLong(matcher.group(1)) * factor(unit);
    if (bytes > Integer.MAX_VALUE) {
      throw new TypeConversionException("a size is at most 1GB, not '%s'".formatted(text));
    }
    return (int) bytes;
  }

  private static long factor(String unit) {
    return switch (unit) {
      case "KB" -> 1_000;
      case "MB" -> 1_000_000;
      case "GB" -> 1_000_000_000;
      default -> 1;
    };
  }

  /** The size as people write it. */
  static String of(long bytes) {
    if (bytes >= 1_000_000) {
      return shortest(bytes / 1e6) + " MB";
    }
    return shortest(bytes / 1e3) + " KB";
  }

  private static String shortest(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
