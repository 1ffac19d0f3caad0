// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cli.PolicyName;
import io.lakestream.cli.StatusLine;
import io.lakestream.cli.Vocabulary;
import io.lakestream.cli.process.Stage;
import io.lakestream.model.CpLayout;
import io.lakestream.model.Mesh;
import io.lakestream.text.PackingSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo with real processes; {@code lakestream demo --kills 50} is the long form. */
class DemoTest {
  private static final int KILLS = 4;
  private static final int FILES = 60;
  private static final int WORDS = 1_000;

  @TempDir Path folder;

  private Path text() throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    Path text = Files.createDirectories(folder.resolve("text"));
    for (int file = 0; file < FILES; file++) {
      StringBuilder words = new StringBuilder();
      for (int word = 0; word < WORDS; word++) {
        words.append(Integer.toString(random.nextInt(1 << 20), 36)).append(' ');
      }
      Files.writeString(text.resolve("text-" + file), words.toString());
    }
    Files.writeString(text.resolve("text-x"), "\0binary");
    Files.writeString(text.resolve("x.zip"), "an archive");
    return text;
  }

  @Test
  void everyTokenArrivesOnceAndInOrderThoughProcessesAreKilled()
      throws IOException, InterruptedException {
    Path place = folder.resolve("stream");
    DemoSettings settings =
        new DemoSettings(
            text(),
            Optional.of(place.toString()),
            2,
            KILLS,
            7,
            Vocabulary.named("r50k_base"),
            new PackingSettings(new Mesh(1, 2), CpLayout.ZIGZAG, 512, 1, 2),
            PolicyName.NAIVE,
            Stage.Ending.DELETE);
    ByteArrayOutputStream said = new ByteArrayOutputStream();

    DemoReport report =
        new Demo(
                settings,
                new StatusLine.PlainLines(new PrintStream(said, true, StandardCharsets.UTF_8)))
            .play();

    assertThat(report.mismatches()).isEmpty();
    assertThat(report.passed()).isTrue();
    assertThat(report.skipped().text()).isEqualTo("skipped 1 archive, 1 binary file");
    assertThat(report.kills()).isEqualTo(KILLS);
    assertThat(report.steps()).isGreaterThan(200);
    assertThat(report.killed()).extracting(DemoReport.Killed::who).anyMatch(n -> n.startsWith("p"));
    assertThat(report.killed()).extracting(DemoReport.Killed::who).anyMatch(n -> n.startsWith("r"));
    assertThat(report.readAmplification()).isGreaterThan(1);
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("killed producer-", "killed rank-");
    assertThat(new ReportText(report).lines()).anyMatch(line -> line.startsWith("Proven: "));
    assertThat(place.resolve("namespace.json")).exists();
  }

  @Test
  void theCommandPageNamesEveryFieldOfTheReport() throws IOException {
    String page = Files.readString(Path.of("../docs/command.md"));
    for (Class<?> record : List.of(DemoReport.class, DemoReport.Killed.class)) {
      assertThat(record.getRecordComponents())
          .allSatisfy(field -> assertThat(page).contains("`" + field.getName() + "`"));
    }
  }
}
