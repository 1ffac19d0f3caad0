// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.Namespace;
import io.lakestream.StreamView;
import io.lakestream.cli.process.Mismatches;
import io.lakestream.cli.process.RankCheck;
import io.lakestream.cli.process.RankLog;
import io.lakestream.model.CheckReport;
import io.lakestream.model.Cursor;
import io.lakestream.model.StepInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The judge: what everybody told is compared with one another, with the producers' input and with
 * what is left of the stream, and the namespace itself is checked to the last byte.
 */
final class Verdict {
  private final Namespace stream;
  private final Crew crew;
  private final Mismatches mismatches;
  private final StreamView view;
  private final StreamView.Summary summary;
  private long acknowledged;
  private long readAgain;

  /** A judge who adds what is wrong to {@code mismatches}. */
  Verdict(Namespace stream, Crew crew, Mismatches mismatches) {
    this.stream = stream;
    this.crew = crew;
    this.mismatches = mismatches;
    this.view = stream.view();
    this.summary = view.summary();
  }

  /** Judges. */
  void run() throws InterruptedException {
    if (!summary.isSealed()) {
      mismatches.add("the stream is not sealed");
    }
    List<StepInfo> steps = checkRanks();
    checkProducers(steps);
    checkLeft(steps);
    checkNamespace();
  }

  private List<StepInfo> checkRanks() {
    SliceCheck slices = new SliceCheck(mismatches);
    for (Job job : crew.jobs()) {
      for (int i = 0; i < job.ranks().size(); i++) {
        RankLog log = log(job, job.ranks().get(i));
        new RankCheck(log, mismatches).run(summary.nextStep());
        slices.accept(log, stream.mesh().cell(i));
        readAgain += log.lives().stream().mapToLong(life -> life.steps().size()).sum();
        readAgain -= summary.nextStep();
      }
    }
    return slices.steps();
  }

  private static RankLog log(Job job, Actor rank) {
    List<RankLog.Life> lives = new ArrayList<>();
    for (int i = 0; i < rank.lives().size(); i++) {
      Optional<Cursor> start = Optional.of(job.starts().get(i));
      lives.add(RankLog.Life.read(start, rank.lives().get(i).events()));
    }
    return new RankLog(rank.name(), lives);
  }

  private void checkProducers(List<StepInfo> steps) {
    Map<String, ProducerCheck> checks = new TreeMap<>();
    for (Actor producer : crew.producers()) {
      List<ProducerAccount> lives =
          producer.lives().stream()
              .map(life -> ProducerAccount.read(life.events(), life.isEnded(End.FENCED)))
              .toList();
      checks.put(producer.name(), new ProducerCheck(producer.name(), lives, mismatches));
    }
    for (StepInfo step : steps) {
      ProducerCheck check = checks.get(step.producer());
      if (check == null) {
        mismatches.add(
            "step %d is by %s, who was not started".formatted(step.step(), step.producer()));
      } else {
        check.accept(step);
      }
    }
    Map<String, Long> recorded =
        view.producers().stream()
            .collect(
                Collectors.toMap(
                    StreamView.ProducerStatus::id, StreamView.ProducerStatus::tgbs, Math::max));
    checks.forEach((id, check) -> check.finish(Optional.ofNullable(recorded.get(id))));
    acknowledged = checks.values().stream().mapToLong(ProducerCheck::acknowledged).sum();
  }

  /** What was not reclaimed is still what the ranks read. */
  private void checkLeft(List<StepInfo> steps) {
    for (StepInfo step : steps) {
      if (step.step() >= summary.firstStep() && !view.step(step.step()).equals(step)) {
        mismatches.add(
            "step %d is %s in the stream, but ranks read %s"
                .formatted(step.step(), view.step(step.step()), step));
      }
    }
  }

  private void checkNamespace() throws InterruptedException {
    CheckReport report = stream.check(CheckReport.Depth.EVERY_BYTE, CheckReport.Listener.none());
    for (CheckReport.Problem problem : report.problems()) {
      mismatches.add(
          "fsck finds %s broken by %s: %s"
              .formatted(problem.invariant(), problem.object(), problem.what()));
    }
    for (CheckReport.Note note : report.notes()) {
      // Nobody is on his way to anything any more, and reclamation has run.
      if (note.examples().stream().anyMatch(Verdict::isOfStream)) {
        mismatches.add("fsck finds what should be gone: " + note);
      }
    }
  }

  private static boolean isOfStream(String key) {
    return key.startsWith("data/") || key.startsWith("segment/") || key.startsWith("manifest/0");
  }

  /** The stream in the end. */
  StreamView.Summary summary() {
    return summary;
  }

  /** How many batches producers were told to be published. */
  long acknowledged() {
    return acknowledged;
  }

  /** How many steps ranks read again after they were rolled back, or for nothing. */
  long readAgain() {
    return readAgain;
  }
}
