// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.util.Optional;

/**
 * One start of a training job. The launcher makes it before any rank starts and hands it to the
 * ranks. Only the newest generation of a group counts, so a rank that is left over from an earlier
 * start cannot move a run that rolled back behind it.
 *
 * @param group the job's name over all its starts
 * @param number which start, from 1
 * @param worldSize how many ranks report
 * @param startStep the step it starts at; a rank that has not reported counts as standing there
 * @param version the manifest version it starts from, which also says which steps it skips
 */
public record Generation(String group, long number, int worldSize, long startStep, long version) {
  /** Ranks of one job: each is looked at in every pass of reclamation. */
  public static final int RANKS_MAX = 1_000_000;

  public Generation {
    if (group.isEmpty()
        || number < 1
        || worldSize < 1
        || worldSize > RANKS_MAX
        || startStep < 0
        || version < 0) {
      throw new InvalidRequest(
          "a generation has a group, a number and up to a million ranks, not group '%s', start %d"
                  .formatted(group, number)
              + " of %d ranks".formatted(worldSize)
              + " at step %d of version %d".formatted(startStep, version));
    }
  }

  /**
   * The step from which a rank of it may resume.
   *
   * @param last what the rank reported last; empty if it has not
   */
  public long heldStep(Optional<Watermark> last) {
    return last.map(Watermark::step).orElse(startStep);
  }

  @Override
  public String toString() {
    return "start %d of group %s".formatted(number, group);
  }
}
