// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.policy.LagLimits;

/**
 * How far a producer is ahead, in steps.
 *
 * <p>A producer sees what is published and what it has on the way itself, but neither what others
 * have on the way nor what these may add before they look again. So it takes for granted that each
 * of them has as much on the way as it may have itself, and as much again that it had room for when
 * it looked at an older version. Then one producer keeps to a limit exactly; several exceed it only
 * if some have not looked nor published for long while others have, and then by less than half of
 * it, or by a step for each of them if that is more.
 *
 * @param needed the first step that a live checkpoint may resume from
 * @param read the step that the slowest rank reads next
 * @param published the steps there are
 * @param pending the steps that the producer has on the way
 */
record Lead(long needed, long read, long published, long pending) {
  /** How many more steps the limits allow, as far as the producer knows; 0 or less if none. */
  long room(LagLimits limits) {
    return end(limits) - published - pending;
  }

  /** How many of them one of {@code producers} may add before it looks again; 0 if none. */
  long share(LagLimits limits, int producers) {
    long parts = 2L * producers - 1;
    long mine = Math.max(1, (end(limits) - published) / parts);
    return room(limits) <= 0 ? 0 : Math.max(0, mine - pending);
  }

  boolean isWithinLag(LagLimits limits) {
    return published + pending < needed + capped(limits.lagMax());
  }

  private long end(LagLimits limits) {
    return Math.min(needed + capped(limits.lagMax()), read + capped(limits.leadMax()));
  }

  /** A limit that can be added to a step. */
  private static long capped(long limit) {
    return Math.min(limit, Long.MAX_VALUE / 4);
  }
}
