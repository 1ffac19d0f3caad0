// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.util.Locale;

/** Quantities as people read them. */
public final class Units {
  private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Units() {}

  /** A length, such as {@code 1.5 MiB}. */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    // What would be rounded to four digits before the point belongs to the next unit.
    while (value >= 1023.95 && unit < BINARY.length - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, BINARY[unit]);
  }

  /** A number with its thousands apart, such as {@code 12,345}. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A count with its noun, such as {@code 1 step}, {@code 12 steps} or {@code 2 batches}. */
  public static String count(long number, String noun) {
    return count(number) + " " + (number == 1 ? noun : plural(noun));
  }

  private static String plural(String noun) {
    return noun + (noun.endsWith("ch") || noun.endsWith("ss") ? "es" : "s");
  }

  /** A speed in bytes a second, such as {@code 12.3 MB/s} or {@code 45.6 kB/s}. */
  public static String speed(long bytes, long nanos) {
    double kilobytes = bytes * 1e6 / Math.max(1, nanos);
    return kilobytes < 1_000
        ? String.format(Locale.ROOT, "%.1f kB/s", kilobytes)
        : String.format(Locale.ROOT, "%.1f MB/s", kilobytes / 1e3);
  }

  /** A duration, such as {@code 1.2 s} or {@code 3.4 ms}. */
  public static String duration(long nanos) {
    return nanos < 1_000_000_000L
        ? String.format(Locale.ROOT, "%.1f ms", nanos / 1e6)
        : String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
  }

  /** Milliseconds to the microsecond, for JSON. */
  public static double millis(long nanos) {
    return Math.round(nanos / 1e3) / 1e3;
  }
}
