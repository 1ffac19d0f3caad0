// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code read --remap}: a stream of two replicas read by other numbers of them. */
final class ReadRemapTest {
  private static final int STEPS = 5;

  @TempDir Path folder;
  private Path stream = Path.of("unset");
  private Path state = Path.of("unset");
  private Path events = Path.of("unset");

  @BeforeEach
  void writeStream() throws IOException {
    stream = folder.resolve("stream");
    state = folder.resolve("state");
    events = folder.resolve("events");
    Path text = folder.resolve("text");
    Texts.write(text, 40);
    Cli.run("init", stream, "--mesh", "2x1").isDone();
    Object[] write = {"write", stream, "--producer", "p", "--from", text, "--seal"};
    List<Object> args = new ArrayList<>(List.of(write));
    args.addAll(List.of("--sequence-length", "32", "--rows", "2", "--limit", STEPS));
    Cli.run(args.toArray()).isDone();
  }

  private Cli read(Object... more) {
    List<Object> args = new ArrayList<>(List.of("read", stream, "--json"));
    args.addAll(List.of(more));
    return Cli.run(args.toArray());
  }

  private List<String> hashes() throws IOException {
    return Texts.events(events).stream()
        .filter(event -> event.has("sha256"))
        .map(event -> event.path("sha256").asText())
        .toList();
  }

  @Test
  void oneReplicaReadsBothSlicesOfEachStepAndIsResumedBetweenThem() throws IOException {
    List<String> expected = new ArrayList<>();
    for (int d = 0; d < 2; d++) {
      read("--slice", d + ",0", "--events", events).isDone();
      expected.addAll(hashes());
      Files.delete(events);
    }
    Object[] alone = {"--rank", "0", "--world-size", "1", "--remap", "keep-rank-batch"};
    List<Object> args = new ArrayList<>(List.of(alone));
    args.addAll(List.of("--state", state, "--events", events));
    List<Object> first = new ArrayList<>(args);
    first.addAll(List.of("--limit", "3"));
    read(first.toArray()).isDone();
    assertThat(Files.readString(state)).contains("\"step\":1,\"part\":1");
    JsonNode summary = read(args.toArray()).json();
    assertThat(summary.path("steps").asInt()).isEqualTo(2 * STEPS);
    for (int i = 0; i < 2 * STEPS; i++) {
      assertThat(hashes().get(i)).isEqualTo(expected.get(i / 2 + i % 2 * STEPS));
    }
  }

  @Test
  void aStepOfFourReplicasIsTwoOfTheStream() {
    Object[] args = {"--slice", "3,0", "--mesh", "4x1", "--remap", "keep-rank-batch"};
    assertThat(read(args).json().path("steps").asInt()).isEqualTo(STEPS / 2);
  }

  @Test
  void aGlobalBatchThatIsKeptIsDealtAnew() {
    for (String mesh : List.of("1x1", "3x1", "4x1")) {
      Object[] args = {"--slice", "0,0", "--mesh", mesh, "--remap", "keep-global-batch"};
      assertThat(read(args).json().path("steps").asInt()).as(mesh).isEqualTo(STEPS);
    }
  }

  @Test
  void whatCannotBeIsSaid() {
    read("--slice", "0,0", "--mesh", "4x1").isRefused(2, "written for a 2x1 mesh");
    read("--slice", "0,0", "--mesh", "3x1", "--remap", "keep-rank-batch")
        .isRefused(2, "2 replicas to 3");
    read("--slice", "0,0", "--mesh", "5x1", "--remap", "keep-global-batch").isRefused(2, "4 rows");
    read("--slice", "0,0", "--remap", "other").isRefused(2, "keep-global-batch, not 'other'");
    read("--mesh", "1x1").isRefused(2, "name a --slice");
  }
}
