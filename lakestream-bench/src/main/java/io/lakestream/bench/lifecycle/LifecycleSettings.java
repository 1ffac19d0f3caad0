// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.lifecycle;

import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import java.nio.file.Path;

/**
 * What is run. The other numbers are those of the paper (§7.5).
 *
 * @param at the folder in which it works
 * @param steps how many steps the ranks train
 * @param tgbBytes bytes of the slices of a batch
 * @param keptCheckpoints how many of its newest checkpoints the job keeps
 * @param historySteps length of the history in which the resuming is measured
 */
public record LifecycleSettings(
    Path at, long steps, int tgbBytes, int keptCheckpoints, long historySteps) {
  /** Steps of the paper's run. */
  public static final long STEPS = 1_010;

  /** So many bytes that a batch does not share its object, and a run takes seconds. */
  public static final int TGB_BYTES = 1_000_000;

  /** Steps from one checkpoint to the next. */
  public static final int CHECKPOINT_STEPS = 10;

  /** How far producers may run ahead of W_global, in steps. */
  public static final int LAG_MAX = 80;

  /** Steps of the history in which the resuming is measured. */
  public static final long HISTORY_STEPS = 1_000_000;

  static final int PRODUCERS = 2;
  static final Mesh MESH = new Mesh(2, 2);

  /** With more of them the limit would stop the run for ever. */
  private static final int KEPT_MAX = LAG_MAX / CHECKPOINT_STEPS;

  private static final long STEPS_MAX = 100_000;
  private static final int TGB_BYTES_MIN = 1_000;
  private static final int TGB_BYTES_MAX = 1_000_000_000;

  /** With fewer there is no index node. */
  private static final long HISTORY_STEPS_MIN = 5_000;

  private static final long HISTORY_STEPS_MAX = 100_000_000;

  public LifecycleSettings {
    require(
        steps >= CHECKPOINT_STEPS && steps <= STEPS_MAX && steps % CHECKPOINT_STEPS == 0,
        "a run has %d to %,d steps, a multiple of %d, not %,d"
            .formatted(CHECKPOINT_STEPS, STEPS_MAX, CHECKPOINT_STEPS, steps));
    require(
        tgbBytes >= TGB_BYTES_MIN && tgbBytes <= TGB_BYTES_MAX,
        "a batch has 1KB to 1GB, not %d bytes".formatted(tgbBytes));
    require(
        keptCheckpoints >= 1 && keptCheckpoints <= KEPT_MAX,
        "1 to %d checkpoints can be kept, not %d: one is made every %d steps, and producers wait"
                .formatted(KEPT_MAX, keptCheckpoints, CHECKPOINT_STEPS)
            + " once they are %d ahead of the oldest".formatted(LAG_MAX));
    require(
        historySteps >= HISTORY_STEPS_MIN && historySteps <= HISTORY_STEPS_MAX,
        "a history to resume in has %,d to %,d steps, not %,d"
            .formatted(HISTORY_STEPS_MIN, HISTORY_STEPS_MAX, historySteps));
  }

  private static void require(boolean isRight, String message) {
    if (!isRight) {
      throw new InvalidRequest(message);
    }
  }

  /** The oldest checkpoint that is kept once that of {@code step} is made: W_global. */
  long oldestKept(long step) {
    return Math.max(CHECKPOINT_STEPS, step - (keptCheckpoints - 1L) * CHECKPOINT_STEPS);
  }
}
