// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.policy.LagLimits;

/**
 * How far a producer is ahead, in steps.
 *
 * <p>A producer sees what is published and what it has on the way itself, but neither what others
 * have on the way nor what these may add before they look again. The latter is kept small: the room
 * is given out bit by bit, all producers together getting a quarter of it at a time, or a step each
 * if that is more. So they exceed a limit by no more than that and what all but one have on the
 * way.
 *
 * @param needed the first step that a live checkpoint may resume from
 * @param read the step that the slowest rank reads next
 * @param end the steps there are, with those that the producer has on the way
 */
record Lead(long needed, long read, long end) {
  /** In how many parts the room is given out. */
  private static final int PARTS = 4;

  /** How many more steps the limits allow, 0 or less if none. */
  long room(LagLimits limits) {
    return Math.min(needed + capped(limits.lagMax()), read + capped(limits.leadMax())) - end;
  }

  /** How many of them one of {@code producers} may add before it looks again; 0 if none. */
  long share(LagLimits limits, int producers) {
    long room = room(limits);
    return room <= 0 ? 0 : Math.max(1, room / ((long) PARTS * producers));
  }

  boolean isWithinLag(LagLimits limits) {
    return end < needed + capped(limits.lagMax());
  }

  /** A limit that can be added to a step. */
  private static long capped(long limit) {
    return Math.min(limit, Long.MAX_VALUE / 4);
  }
}
