// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long the last reads of one kind took, and when the next is overdue: once it takes longer than
 * 95 in 100 did. What was answered only after a hedge took longer than that by definition, so
 * hedging does not move the percentile. Safe for use by several threads.
 */
final class ReadTimes {
  /** Enough that a percentile is steady, and few enough that it follows the store within them. */
  static final int WINDOW = 256;

  /** Reads between two looks at the percentile; before the first look the start value holds. */
  static final int REFRESH = 32;

  private static final double FRACTION = 0.95;

  private final long floorNanos;
  private final AtomicLongArray window = new AtomicLongArray(WINDOW);
  private final AtomicLong seen = new AtomicLong();
  private volatile long overdueNanos;

  /**
   * Nothing seen yet.
   *
   * @param floorNanos no read is overdue before that
   * @param startNanos when reads are overdue until enough were seen
   */
  ReadTimes(long floorNanos, long startNanos) {
    this.floorNanos = floorNanos;
    this.overdueNanos = startNanos;
  }

  /** How long after its start a read is overdue. */
  long overdueNanos() {
    return overdueNanos;
  }

  /** A read was answered after so long. */
  void add(long nanos) {
    long index = seen.getAndIncrement();
    window.set((int) (index % WINDOW), nanos);
    if ((index + 1) % REFRESH == 0) {
      overdueNanos = Math.max(floorNanos, 1 + percentile((int) Math.min(index + 1, WINDOW)));
    }
  }

  private long percentile(int count) {
    long[] sorted = new long[count];
    Arrays.setAll(sorted, window::get);
    Arrays.sort(sorted);
    return sorted[(int) Math.ceil(FRACTION * count) - 1];
  }
}
