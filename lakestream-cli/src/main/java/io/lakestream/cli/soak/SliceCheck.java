// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.cli.process.Mismatches;
import io.lakestream.cli.process.RankLog;
import io.lakestream.cli.process.RankStep;
import io.lakestream.model.Cell;
import io.lakestream.model.StepInfo;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks what ranks read, whatever became of it: in all lives of all ranks of all jobs a step is
 * the same batch, and the bytes of its slices are those of the producer's sample.
 */
final class SliceCheck {
  private final Map<Long, StepInfo> steps = new TreeMap<>();
  private final Mismatches mismatches;

  SliceCheck(Mismatches mismatches) {
    this.mismatches = mismatches;
  }

  /** Takes all that a rank told that reads a slice. */
  void accept(RankLog rank, Cell cell) {
    for (RankLog.Life life : rank.lives()) {
      for (RankStep step : life.steps()) {
        accept(rank, cell, step);
      }
    }
  }

  private void accept(RankLog rank, Cell cell, RankStep read) {
    StepInfo step = read.info();
    StepInfo before = steps.putIfAbsent(step.step(), step);
    if (before != null && !before.equals(step)) {
      mismatches.add(
          "%s read another step %d than others did: %s, they %s"
              .formatted(rank, step.step(), step, before));
    } else if (!read.sha256().equals(Samples.sha256(step.producer(), step.seq(), cell))) {
      mismatches.add(
          "%s read other bytes in step %d than %s wrote for slice %s of sample %d"
              .formatted(rank, step.step(), step.producer(), cell, step.seq()));
    }
  }

  /** All steps that any rank read, in order. */
  List<StepInfo> steps() {
    return List.copyOf(steps.values());
  }
}
