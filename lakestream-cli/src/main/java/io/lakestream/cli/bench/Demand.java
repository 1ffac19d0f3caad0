// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.bench;

import java.util.Locale;

/**
 * What is demanded of a figure.
 *
 * @param text the demand
 * @param isMet whether the figure meets it
 */
record Demand(String text, boolean isMet) {
  /** At least so much. */
  static Demand atLeast(double bound, double figure) {
    return new Demand("≥ " + number(bound), figure >= bound);
  }

  /** At most so much. */
  static Demand atMost(double bound, double figure) {
    return new Demand("≤ " + number(bound), figure <= bound);
  }

  /** At most so many. */
  static Demand atMost(long bound, long figure) {
    return new Demand("≤ " + bound, figure <= bound);
  }

  /** At most so much, in the words of its unit. */
  static Demand atMost(String bound, boolean isMet) {
    return new Demand("≤ " + bound, isMet);
  }

  /** Whether it is met, in words. */
  String verdict() {
    return isMet ? "met" : "NOT MET";
  }

  /** A ratio, or another number without a unit. */
  static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.2f", value);
  }
}
