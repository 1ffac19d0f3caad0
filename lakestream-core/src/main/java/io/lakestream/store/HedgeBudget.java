// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many more reads may be asked for again: each read adds its share of one, up to a bound. So
 * hedges are never more than that share of all reads and the bound.
 *
 * <p><b>Why the lower half is kept for reads that have waited long.</b> By its definition one read
 * in twenty takes longer than the 95th percentile. Most of these are about to be answered; if they
 * could take all there is, a read that hangs would find nothing left. What few others wait as long
 * as a read that hangs.
 */
final class HedgeBudget {
  private static final long WHOLE = 1_000_000;

  private final long earned;
  private final long most;
  private final AtomicLong left;

  /**
   * A full one.
   *
   * @param shareMax hedges a read adds, a fraction of one
   * @param burstMax hedges it holds at most
   */
  HedgeBudget(double shareMax, int burstMax) {
    this.earned = Math.round(shareMax * WHOLE);
    this.most = burstMax * WHOLE;
    this.left = new AtomicLong(most);
  }

  /** Adds what a read earns. */
  void earn() {
    add(earned);
  }

  /**
   * Takes a hedge, if there is one.
   *
   * @param isLongOverdue whether the read has waited so long that it may take from the lower half
   */
  boolean take(boolean isLongOverdue) {
    long least = isLongOverdue ? WHOLE : most / 2 + WHOLE;
    long before = left.getAndUpdate(now -> now < least ? now : now - WHOLE);
    return before >= least;
  }

  /** Gives back a hedge that was not made. */
  void giveBack() {
    add(WHOLE);
  }

  private void add(long more) {
    long ignored = left.accumulateAndGet(more, (now, added) -> Math.min(most, now + added));
  }
}
