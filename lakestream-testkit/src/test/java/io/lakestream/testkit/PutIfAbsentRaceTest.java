// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PutIfAbsentRaceTest {
  private static final int PROCESSES = 4;
  private static final int NAMES = 4_000;

  @TempDir Path folder;

  @Test
  void ofFourProcessesOneCreatesEachFile() throws Exception {
    Path meeting = Files.createDirectory(folder.resolve("meeting"));
    URI store = URI.create(folder.toUri() + "store?durability=none");
    assertThat(PutIfAbsentRace.run(store, meeting, PROCESSES, NAMES)).isEmpty();
    for (int racer = 0; racer < PROCESSES; racer++) {
      assertThat(Files.readAllLines(meeting.resolve("won-" + racer)))
          .as("a racer that never won was not in the race")
          .isNotEmpty();
    }
  }

  @Test
  void theRaceShowsAStoreInWhichSeveralWin() throws Exception {
    Path meeting = Files.createDirectory(folder.resolve("meeting"));
    // A memory store is one per process, so that everybody wins.
    assertThat(PutIfAbsentRace.run(URI.create("memory:///race"), meeting, 2, 3))
        .hasSize(3)
        .allMatch(wrong -> wrong.endsWith("was won by [0, 1]"));
  }

  @Test
  void aRacerThatFailsSaysWhy() throws IOException {
    Path meeting = Files.createDirectory(folder.resolve("meeting"));
    assertThatThrownBy(() -> PutIfAbsentRace.run(URI.create("s4://bucket"), meeting, 1, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("racer 0 did not get ready")
        .hasMessageContaining("'s4'");
  }
}
