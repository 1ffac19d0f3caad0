// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.OFF;

/** Counts what is left out of an input, and may name it in the log. For use by one thread. */
final class SkipLog {
  private static final System.Logger LOG = System.getLogger(SkipLog.class.getName());

  private final System.Logger.Level level;
  private Skipped skipped = Skipped.NONE;

  private SkipLog(System.Logger.Level level) {
    this.level = level;
  }

  /** One that names what it counts. */
  static SkipLog naming() {
    return new SkipLog(INFO);
  }

  /** One that only counts, for what is read twice. */
  static SkipLog counting() {
    return new SkipLog(OFF);
  }

  void add(SkipReason reason, String what) {
    skipped = skipped.plus(reason);
    if (level != OFF) {
      LOG.log(level, "skipped {0}: {1}", what, reason);
    }
  }

  Skipped skipped() {
    return skipped;
  }
}
