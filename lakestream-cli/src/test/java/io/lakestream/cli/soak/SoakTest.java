// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cli.StatusLine;
import io.lakestream.cli.Stop;
import io.lakestream.cli.process.Stage;
import io.lakestream.model.Mesh;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short soak with real processes; {@code lakestream soak} is the long form. */
class SoakTest {
  /** Its plan kills a producer and a rank and replaces a sleeper within the first seconds. */
  private static final long SEED = 871;

  private static final long CHAOS_MILLIS = 7_000;

  @TempDir Path folder;

  private static StatusLine status(ByteArrayOutputStream said) {
    return new StatusLine.PlainLines(new PrintStream(said, true, StandardCharsets.UTF_8));
  }

  private SoakSettings settings(Stage.Ending ending) {
    return new SoakSettings(2, 1, new Mesh(1, 2), 1, CHAOS_MILLIS, SEED, folder, ending);
  }

  @Test
  void everythingIsInTheStreamOnceThoughProcessesAreKilledAndSleep()
      throws IOException, InterruptedException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();

    SoakReport report = new Soak(settings(Stage.Ending.DELETE), status(said), new Stop()).run();

    assertThat(report.wrong()).isEmpty();
    assertThat(report.passed()).isTrue();
    assertThat(report.producerKills()).isPositive();
    assertThat(report.rankKills()).isPositive();
    assertThat(report.replaced()).isPositive();
    assertThat(report.producersFenced()).isPositive();
    assertThat(report.rollBacks()).isPositive();
    assertThat(report.steps()).isGreaterThan(100);
    assertThat(report.versionsDeleted()).isPositive();
    assertThat(said.toString(StandardCharsets.UTF_8)).startsWith("seed " + SEED);
    assertThat(report.place()).isNull();
    assertThat(folder.toFile().list()).isEmpty();
    assertThat(ProcessHandle.current().descendants()).isEmpty();
  }

  @Test
  void theCommandPageNamesEveryFieldOfTheReport() throws IOException {
    String row =
        Files.readAllLines(Path.of("../docs/command.md")).stream()
            .filter(line -> line.startsWith("| `soak` |"))
            .findFirst()
            .orElseThrow();
    assertThat(SoakReport.class.getRecordComponents())
        .allSatisfy(field -> assertThat(row).contains("`" + field.getName() + "`"));
  }

  static SoakReport failed() {
    return new SoakReport(
        false,
        42,
        1,
        8,
        2,
        "2x2",
        2,
        9,
        9,
        9,
        1,
        0,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        0,
        0,
        0,
        0,
        0,
        "/somewhere",
        List.of("step 3 is p's sample 2 again", "r lost step 5"));
  }

  @Test
  void aFailureTellsWhatIsWrongFirstWhereToLookAndHowToDoItAgain() {
    List<String> lines = new SoakText(failed()).verdict();

    assertThat(lines)
        .containsExactly(
            "FAILED (seed 42), first things first:",
            "  step 3 is p's sample 2 again",
            "  r lost step 5",
            "Stream, logs and what each process told are in /somewhere.",
            "With --seed 42 the same are struck at the same times.");
  }
}
