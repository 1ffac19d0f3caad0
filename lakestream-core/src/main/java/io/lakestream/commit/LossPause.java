// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import java.util.concurrent.TimeUnit;

/**
 * How long the loser of races for the next version steps aside: a random part of a few fragile
 * windows. One of those who race wins each time, so to wait longer would only leave more wins to
 * others, and to the busiest first.
 */
public final class LossPause {
  /** Past this many races a wait grows no more: then more than that many race at once. */
  private static final int WINDOWS_MAX = 8;

  /** A store that answers at once, be it that it does not know, is not asked without pause. */
  private static final long WINDOW_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(2);

  /** A window this long is a store that hangs, which waiting does not mend. */
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  private LossPause() {}

  /**
   * The pause after a lost race, in nanoseconds; none if {@code lostInARow} is 0.
   *
   * @param lostInARow races lost since the last that was won
   * @param fragileWindowNanos the fragile window of the last attempt
   * @param uniform a uniform random number in {@code [0, 1)}
   */
  public static long nanos(int lostInARow, long fragileWindowNanos, double uniform) {
    long window = Math.max(WINDOW_NANOS_MIN, fragileWindowNanos);
    long bound = window * Math.min(lostInARow, WINDOWS_MAX);
    return (long) (Math.min(NANOS_MAX, bound) * uniform);
  }
}
