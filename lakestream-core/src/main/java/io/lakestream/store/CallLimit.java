// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

/**
 * How many calls of one kind may be under way: halved when the store says that it is asked too
 * much, raised little by little while it answers and what is allowed is made use of. For use under
 * a lock.
 */
final class CallLimit {
  /** Refused calls bring it down to this, and no further: one call always tries. */
  private static final int LEAST = 1;

  /** What a round of calls raises it by: from one to sixty in six hundred rounds, some seconds. */
  private static final double RAISE = 0.1;

  private final int most;
  private double allowed;
  private int underWay;
  private long timesLowered;

  /** As much as there ever may be, until the store refuses something. */
  CallLimit(int most) {
    this.most = most;
    this.allowed = most;
  }

  /** Calls that may be under way now. */
  int allowed() {
    return (int) allowed;
  }

  boolean isFree() {
    return underWay < (int) allowed;
  }

  /** A call begins; what is returned is to be given to {@link #throttled}. */
  long begin() {
    underWay++;
    return timesLowered;
  }

  /** A call was answered. */
  void answered() {
    boolean isUsed = 2 * underWay >= allowed;
    underWay--;
    if (isUsed) {
      allowed = Math.min(most, allowed + RAISE / allowed);
    }
  }

  /**
   * A call was refused. Of those that were under way together only the first to be refused counts:
   * the others tell of the same moment.
   */
  void throttled(long begun) {
    double tried = Math.min(allowed, underWay);
    underWay--;
    if (begun == timesLowered) {
      timesLowered++;
      allowed = Math.max(LEAST, tried / 2);
    }
  }

  /** A call ended in a way that says nothing of how much may be asked. */
  void ended() {
    underWay--;
  }
}
