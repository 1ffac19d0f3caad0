// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.lifecycle;

import java.util.List;

/**
 * What was measured.
 *
 * @param steps steps of the run
 * @param tgbBytes bytes of the slices of a batch
 * @param stepBytes stored bytes of a step, on average
 * @param checkpointSteps steps from one checkpoint to the next
 * @param keptCheckpoints how many checkpoints the job kept
 * @param lagMax how far producers could run ahead of W_global
 * @param producers how many there were
 * @param ranks how many there were
 * @param durability what the store's puts survived
 * @param withReclaimPeakBytes most bytes stored in the run with reclamation
 * @param withoutReclaimPeakBytes most bytes stored in the run without
 * @param reduction share of the latter that the former does without
 * @param storedToWindow highest ratio of the bytes stored after a pass to the retained window and
 *     the lag, in stored bytes of a step
 * @param liveBytesDeleted bytes of steps that were needed and not there
 * @param historySteps length of the history that was resumed in
 * @param resumeRequests most requests of a resuming
 * @param resumeBytes most bytes of a resuming
 * @param resumes all resumings
 */
public record LifecycleFigure(
    long steps,
    int tgbBytes,
    long stepBytes,
    int checkpointSteps,
    int keptCheckpoints,
    int lagMax,
    int producers,
    int ranks,
    String durability,
    long withReclaimPeakBytes,
    long withoutReclaimPeakBytes,
    double reduction,
    double storedToWindow,
    long liveBytesDeleted,
    long historySteps,
    long resumeRequests,
    long resumeBytes,
    List<ResumeFigure> resumes) {
  public LifecycleFigure {
    resumes = List.copyOf(resumes);
  }
}
