// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.StreamView;
import io.lakestream.cli.Skips;
import io.lakestream.cli.StatusLine;
import io.lakestream.cli.demo.Child.Kind;
import io.lakestream.cli.process.RankLog;
import io.lakestream.cli.process.Stage;
import io.lakestream.model.Cell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The demo from beginning to end: what has to come out is worked out from the input, then producers
 * and ranks run as processes while some of them are killed, and at last everything is read and
 * compared.
 */
final class Demo {
  /** A rank that is killed reads again at most so many steps. */
  private static final int CHECKPOINT_STEPS = 8;

  private final DemoSettings settings;
  private final StatusLine status;

  Demo(DemoSettings settings, StatusLine status) {
    this.settings = settings;
    this.status = status;
  }

  /**
   * Plays it.
   *
   * @throws io.lakestream.cli.CommandFailed if a process fails that was not killed
   */
  DemoReport play() throws IOException, InterruptedException {
    try {
      status.show("reading %s".formatted(settings.input()));
      return play(Expectation.of(settings));
    } finally {
      status.clear();
    }
  }

  private DemoReport play(Expectation expectation) throws IOException, InterruptedException {
    List<ExpectedShare> shares = expectation.shares();
    try (Stage stage = Stage.open("lakestream-demo-", settings.ending())) {
      if (settings.ending() == Stage.Ending.KEEP) {
        status.say("everything stays in " + stage.folder());
      }
      String place = settings.place().orElse(stage.folder().resolve("stream").toString());
      try (Namespace stream = Lakestream.create(place, settings.mesh())) {
        List<Child> children = children(stage, place, shares);
        KillPlan plan = new KillPlan(settings.kills(), settings.seed());
        LiveRun.Outcome outcome = new LiveRun(stream, stage, children, plan, status).run();
        status.show("checking every slice of every step");
        StreamView view = stream.view();
        StreamCheck.Verdict verdict =
            new StreamCheck(view, settings.packing(), shares, rankLogs(children)).run();
        Skips skips = new Skips(expectation.skipped());
        return report(children, place, skips, view.summary(), outcome, verdict);
      }
    }
  }

  private List<Child> children(Stage stage, String place, List<ExpectedShare> shares)
      throws IOException {
    Path folder = stage.folder("processes");
    List<Child> children = new ArrayList<>();
    long steps = 0;
    for (int i = 0; i < shares.size(); i++) {
      children.add(new Child(producer(place, shares, i), stage, folder));
      steps += shares.get(i).batches().size();
    }
    for (int i = 0; i < settings.mesh().cells(); i++) {
      Child.Role role = rank(place, settings.mesh().cell(i), steps, folder);
      children.add(new Child(role, stage, folder));
    }
    return children;
  }

  private Child.Role producer(String place, List<ExpectedShare> shares, int index) {
    ExpectedShare share = shares.get(index);
    long batches = share.batches().size();
    List<String> arguments = new ArrayList<>(List.of("write", place));
    arguments.addAll(List.of("--producer", share.producer()));
    arguments.addAll(List.of("--from", settings.input().toString()));
    arguments.addAll(List.of("--share", index + "/" + shares.size()));
    arguments.addAll(settings.vocabulary().arguments());
    arguments.addAll(List.of("--sequence-length", "" + settings.packing().sequenceLength()));
    arguments.addAll(List.of("--rows", "" + settings.packing().rowsPerReplica()));
    arguments.addAll(List.of("--cp-layout", settings.packing().cpLayout().name()));
    arguments.addAll(List.of("--blocks-per-rank", "" + settings.packing().blocksPerRank()));
    arguments.addAll(List.of("--policy", settings.policy().toString()));
    arguments.addAll(List.of("--pace", "" + settings.paceMillis(batches)));
    return new Child.Role(Kind.PRODUCER, share.producer(), arguments, batches, Optional.empty());
  }

  private static Child.Role rank(String place, Cell cell, long steps, Path folder) {
    String name = "rank-%d-%d".formatted(cell.d(), cell.c());
    Path state = folder.resolve(name + ".cursor");
    List<String> arguments = new ArrayList<>(List.of("read", place));
    arguments.addAll(List.of("--slice", cell.d() + "," + cell.c()));
    arguments.addAll(List.of("--state", state.toString()));
    arguments.addAll(List.of("--checkpoint-every", "" + CHECKPOINT_STEPS));
    return new Child.Role(Kind.RANK, name, arguments, steps, Optional.of(state));
  }

  private List<RankLog> rankLogs(List<Child> children) {
    List<RankLog> logs = new ArrayList<>();
    for (Child rank : Kind.RANK.of(children)) {
      List<RankLog.Life> lives = new ArrayList<>();
      for (Child.Life life : rank.lives()) {
        lives.add(RankLog.Life.read(life.start(), life.events()));
      }
      logs.add(new RankLog("rank " + settings.mesh().cell(logs.size()), lives));
    }
    return logs;
  }

  private DemoReport report(
      List<Child> children,
      String place,
      Skips skipped,
      StreamView.Summary stream,
      LiveRun.Outcome outcome,
      StreamCheck.Verdict verdict) {
    Measures measures = Measures.of(Kind.PRODUCER.of(children), Kind.RANK.of(children));
    return new DemoReport(
        verdict.isPassed(),
        verdict.steps(),
        verdict.tokens(),
        outcome.kills().size(),
        settings.kills(),
        measures.commitSuccess(),
        measures.visibleMillis(0.5),
        measures.visibleMillis(0.95),
        measures.readAmplification(),
        verdict.bytes(),
        megabytesPerSecond(verdict.bytes(), outcome.writingSeconds()),
        megabytesPerSecond(verdict.bytes(), outcome.readingSeconds()),
        measures.attempts(),
        measures.commits(),
        stream.version(),
        stream.headBytes(),
        outcome.seconds(),
        settings.seed(),
        settings.input().toString(),
        skipped,
        place,
        settings.producers(),
        settings.mesh().toString(),
        outcome.kills().stream().map(Demo::killed).toList(),
        verdict.mismatches());
  }

  private static DemoReport.Killed killed(Kill kill) {
    return new DemoReport.Killed(
        kill.child().name(), kill.seconds(), kill.reached(), kill.resumedAt().orElse(null));
  }

  private static double megabytesPerSecond(long bytes, double seconds) {
    return bytes / 1e6 / Math.max(1e-3, seconds);
  }
}
