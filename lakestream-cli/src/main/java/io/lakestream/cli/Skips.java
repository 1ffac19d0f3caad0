// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import com.fasterxml.jackson.annotation.JsonValue;
import io.lakestream.text.SkipReason;
import io.lakestream.text.Skipped;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was left out of an input; in JSON an object with the count of each reason that there was.
 *
 * @param skipped the counts
 */
public record Skips(Skipped skipped) {
  /** The counts by the names that reasons have in JSON. */
  @JsonValue
  SortedMap<String, Long> counts() {
    SortedMap<String, Long> counts = new TreeMap<>();
    skipped.counts().forEach((reason, count) -> counts.put(name(reason), count));
    return counts;
  }

  /** The name of a reason in JSON, such as {@code brokenLink}. */
  static String name(SkipReason reason) {
    String lower = reason.name().toLowerCase(Locale.ROOT);
    int underscore = lower.indexOf('_');
    return underscore < 0
        ? lower
        : lower.substring(0, underscore)
            + lower.substring(underscore + 1, underscore + 2).toUpperCase(Locale.ROOT)
            + lower.substring(underscore + 2);
  }

  /** A sentence for people, or nothing if nothing was skipped. */
  public String text() {
    return skipped.isEmpty() ? "" : "skipped " + skipped;
  }
}
