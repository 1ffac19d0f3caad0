// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.policy;

import io.lakestream.model.InvalidRequest;

/**
 * How far producers may run ahead, in steps.
 *
 * <p>One producer keeps to them exactly. Several do not see what the others have on the way, so
 * each takes a part of what is left, its own batches on the way included, and asks for more when
 * they are published. Together they mostly exceed a limit by a few steps; at worst, if some publish
 * nothing for long while others do, by less than half of it, or by a step for each producer if that
 * is more.
 *
 * @param lagMax ahead of W_global, the lowest step that a live checkpoint may resume from: bounds
 *     what is stored (max_lag of the paper, §7). A limit below the distance from the oldest kept
 *     checkpoint to the newest step that a checkpoint needs stops the stream for ever.
 * @param leadMax ahead of what the slowest rank has read
 */
public record LagLimits(long lagMax, long leadMax) {
  /** No limits. */
  public static final LagLimits NONE = new LagLimits(Long.MAX_VALUE, Long.MAX_VALUE);

  public LagLimits {
    require(lagMax, "lagMax");
    require(leadMax, "leadMax");
  }

  private static void require(long value, String name) {
    if (value < 1) {
      throw new InvalidRequest("producer setting %s cannot be %d".formatted(name, value));
    }
  }
}
