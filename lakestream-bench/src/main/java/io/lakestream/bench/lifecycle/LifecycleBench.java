// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.lifecycle;

import io.lakestream.Namespace;
import io.lakestream.bench.Progress;
import io.lakestream.bench.WorkFolder;
import io.lakestream.policy.ReclaimSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The same training run with and without reclamation (paper §7.5), and what it costs to resume in
 * the middle of a long history.
 */
public final class LifecycleBench {
  /** Bytes of disk for each step besides its slices, rounded up to the blocks of files. */
  private static final long BYTES_PER_STEP = 16_000;

  /** Bytes of disk for each step of a history without its data. */
  private static final long BYTES_PER_HISTORY_STEP = 80;

  private final LifecycleSettings settings;
  private final WorkFolder work;
  private final Progress progress;

  private LifecycleBench(LifecycleSettings settings, WorkFolder work, Progress progress) {
    this.settings = settings;
    this.work = work;
    this.progress = progress;
  }

  /**
   * Runs and measures.
   *
   * @throws IOException if the disk fails or has too little room
   */
  public static LifecycleReport run(LifecycleSettings settings, Progress progress)
      throws IOException, InterruptedException {
    return run(settings, LifecycleBench::reclaim, progress);
  }

  private static void reclaim(Namespace stream) throws InterruptedException {
    var unused = stream.lifecycle().reclaim(ReclaimSettings.DEFAULT);
  }

  /** The same with another pass in place of that of reclamation. */
  static LifecycleReport run(LifecycleSettings settings, Pass pass, Progress progress)
      throws IOException, InterruptedException {
    try (WorkFolder work = WorkFolder.in(settings.at())) {
      LifecycleBench bench = new LifecycleBench(settings, work, progress);
      TrainingRun.Outcome without = bench.train("without reclamation", Pass.none());
      TrainingRun.Outcome with = bench.train("with reclamation", pass);
      return bench.report(with, without, bench.resume());
    }
  }

  private TrainingRun.Outcome train(String name, Pass pass)
      throws IOException, InterruptedException {
    work.requireRoom(settings.steps() * (settings.tgbBytes() + BYTES_PER_STEP));
    Path root = work.resolve(name.replace(' ', '-'));
    TrainingRun.Outcome outcome = new TrainingRun(settings, root, pass, progress).run(name);
    WorkFolder.delete(root);
    return outcome;
  }

  private List<ResumeFigure> resume() throws IOException, InterruptedException {
    work.requireRoom(settings.historySteps() * BYTES_PER_HISTORY_STEP);
    progress.stage("writing a history of %,d steps".formatted(settings.historySteps()));
    Resuming resuming = Resuming.build(work.resolve("history"), settings.historySteps());
    progress.stage("resuming");
    return resuming.measure();
  }

  private LifecycleReport report(
      TrainingRun.Outcome with, TrainingRun.Outcome without, List<ResumeFigure> resumes) {
    double stepBytes = (double) last(without).bytesAfter() / settings.steps();
    long lost = (long) with.lostSteps().size() + without.lostSteps().size();
    LifecycleFigure figure =
        new LifecycleFigure(
            settings.steps(),
            settings.tgbBytes(),
            Math.round(stepBytes),
            LifecycleSettings.CHECKPOINT_STEPS,
            settings.keptCheckpoints(),
            LifecycleSettings.LAG_MAX,
            LifecycleSettings.PRODUCERS,
            LifecycleSettings.MESH.cells(),
            "none",
            with.peakBytes(),
            without.peakBytes(),
            rounded(1 - (double) with.peakBytes() / without.peakBytes()),
            rounded(
                with.readings().stream()
                    .mapToDouble(reading -> reading.bytesAfter() / (window(reading) * stepBytes))
                    .max()
                    .orElseThrow()),
            Math.round(lost * stepBytes),
            settings.historySteps(),
            resumes.stream().mapToLong(ResumeFigure::requests).max().orElseThrow(),
            resumes.stream().mapToLong(ResumeFigure::bytes).max().orElseThrow(),
            resumes);
    return new LifecycleReport(figure, with.readings(), without.readings());
  }

  private static Reading last(TrainingRun.Outcome outcome) {
    return outcome.readings().get(outcome.readings().size() - 1);
  }

  /** Steps from W_global to the newest checkpoint that is kept, and those of the lag. */
  private long window(Reading reading) {
    return reading.step() - settings.oldestKept(reading.step()) + LifecycleSettings.LAG_MAX;
  }

  private static double rounded(double value) {
    return Math.round(value * 1e4) / 1e4;
  }
}
