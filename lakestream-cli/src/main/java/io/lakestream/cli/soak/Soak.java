// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.StreamView;
import io.lakestream.cli.CommandFailed;
import io.lakestream.cli.StatusLine;
import io.lakestream.cli.Stop;
import io.lakestream.cli.process.Mismatches;
import io.lakestream.cli.process.Pause;
import io.lakestream.cli.process.Stage;
import io.lakestream.cli.soak.Strike.Kind;
import io.lakestream.model.LakestreamException;
import io.lakestream.policy.ReclaimSettings;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A soak from beginning to end: the chaos, a last reclamation, and the verdict. */
final class Soak {
  private final SoakSettings settings;
  private final StatusLine status;
  private final Stop stop;

  Soak(SoakSettings settings, StatusLine status, Stop stop) {
    this.settings = settings;
    this.status = status;
    this.stop = stop;
  }

  /** Runs it. Whatever goes wrong is part of the report, unless a stop was requested. */
  SoakReport run() throws IOException, InterruptedException {
    Pause.requireSupport();
    try (Stage stage = Stage.open(settings.place(), "lakestream-soak-", settings.ending())) {
      status.say("seed %d, in %s".formatted(settings.seed(), stage.folder()));
      try (Namespace stream =
          Lakestream.create(stage.folder().resolve("stream").toString(), settings.mesh())) {
        return run(stage, stream);
      }
    } finally {
      status.clear();
    }
  }

  private SoakReport run(Stage stage, Namespace stream) throws IOException, InterruptedException {
    Crew crew = new Crew(settings, stream, stage);
    Chaos chaos = new Chaos(settings, stream, stage, crew, status);
    Mismatches mismatches = new Mismatches();
    Optional<Verdict> verdict = Optional.empty();
    double seconds = 0;
    try {
      chaos.run();
      seconds = chaos.seconds();
      status.show("checking what everybody told");
      var unused = stream.lifecycle().reclaim(ReclaimSettings.DEFAULT);
      verdict = Optional.of(new Verdict(stream, crew, mismatches));
      verdict.get().run();
    } catch (CommandFailed | LakestreamException e) {
      if (stop.isRequested()) {
        throw e;
      }
      mismatches.add(String.valueOf(e.getMessage()));
    } catch (IOException | RuntimeException e) {
      if (!stop.isRequested()) {
        stage.keep();
      }
      throw e;
    }
    List<String> wrong = mismatches.sentences();
    if (!wrong.isEmpty()) {
      stage.keep();
    }
    return report(
        stage,
        crew.tally(),
        seconds == 0 ? chaos.seconds() : seconds,
        verdict.map(Verdict::summary).orElseGet(chaos::summary),
        verdict,
        Deletions.of(crew.reclaimers()),
        wrong);
  }

  private SoakReport report(
      Stage stage,
      Tally tally,
      double seconds,
      StreamView.Summary stream,
      Optional<Verdict> verdict,
      Deletions deletions,
      List<String> wrong) {
    return new SoakReport(
        wrong.isEmpty(),
        settings.seed(),
        seconds,
        settings.producers(),
        settings.jobs(),
        settings.mesh().toString(),
        settings.reclaimers(),
        stream.nextStep(),
        verdict.map(Verdict::acknowledged).orElse(0L),
        stream.version(),
        stream.boundary(),
        stream.firstStep(),
        tally.kills(Kind.PRODUCER),
        tally.kills(Kind.RANK),
        tally.kills(Kind.RECLAIMER),
        tally.pauses(Kind.PRODUCER),
        tally.pauses(Kind.RANK),
        tally.pauses(Kind.RECLAIMER),
        tally.outlivings(),
        tally.replacements(),
        tally.fencings(Kind.PRODUCER),
        tally.rollBacks(),
        tally.fencings(Kind.RANK),
        tally.retries(),
        verdict.map(Verdict::readAgain).orElse(0L),
        deletions.objects(),
        deletions.orphans(),
        deletions.versions(),
        stage.isKept() ? stage.folder().toString() : null,
        wrong);
  }
}
