// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.cli.CommandFailed;
import io.lakestream.cli.StatusLine;
import io.lakestream.cli.process.Stage;
import io.lakestream.model.Mesh;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveRunTest {
  @TempDir Path folder;

  private static StatusLine silent() {
    return new StatusLine.PlainLines(
        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
  }

  private Child rank(String name, String place, Stage stage) {
    List<String> arguments = List.of("read", place, "--slice", "0,0");
    return new Child(
        new Child.Role(Child.Kind.RANK, name, arguments, 1, Optional.empty()),
        stage,
        stage.folder());
  }

  @Test
  void aProcessThatFailsEndsTheDemoWithItsLastWordsAndEverybodyElse()
      throws IOException, InterruptedException {
    String place = folder.resolve("stream").toString();
    Path files;
    try (Namespace stream = Lakestream.create(place, new Mesh(1, 1));
        Stage stage = Stage.open("lakestream-demo-", Stage.Ending.DELETE)) {
      files = stage.folder();
      List<Child> children =
          List.of(
              rank("rank-waiting", place, stage),
              rank("rank-lost", folder.resolve("nowhere").toString(), stage));
      LiveRun run = new LiveRun(stream, stage, children, new KillPlan(0, 1), silent());

      assertThatThrownBy(run::run)
          .isInstanceOf(CommandFailed.class)
          .hasMessageContaining("rank-lost ended with status 1")
          .hasMessageContaining("nowhere");
    }
    assertThat(files).doesNotExist();
    assertThat(ProcessHandle.current().descendants()).isEmpty();
  }
}
