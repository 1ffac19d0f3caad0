// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/** A step was reclaimed, since no live checkpoint needed it; resume from a later checkpoint. */
public final class StepReclaimed extends LakestreamException {
  private static final long serialVersionUID = 1L;

  private final long firstStep;

  public StepReclaimed(long step, long firstStep) {
    super(
        "step %d was reclaimed: the first step there is now is %d; resume from a checkpoint at or"
                .formatted(step, firstStep)
            + " after it");
    this.firstStep = firstStep;
  }

  /** The first step that the stream still has. */
  public long firstStep() {
    return firstStep;
  }
}
