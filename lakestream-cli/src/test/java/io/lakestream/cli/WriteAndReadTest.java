// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code init}, {@code write} and {@code read}: what one writes the other reads, once. */
final class WriteAndReadTest {
  @TempDir Path folder;
  private Path stream = Path.of("unset");
  private Path text = Path.of("unset");

  @BeforeEach
  void createStreamAndText() throws IOException {
    stream = folder.resolve("stream");
    text = folder.resolve("text");
    Texts.write(text, 40);
    Cli.run("init", stream, "--mesh", "2x1").isDone();
  }

  private Cli write(Object... more) {
    List<Object> args =
        new ArrayList<>(List.of("write", stream, "--producer", "p", "--from", text, "--json"));
    args.addAll(List.of("--sequence-length", "32", "--rows", "2"));
    args.addAll(List.of(more));
    return Cli.run(args.toArray());
  }

  private Cli read(Object... more) {
    List<Object> args = new ArrayList<>(List.of("read", stream, "--slice", "1,0", "--json"));
    args.addAll(List.of(more));
    return Cli.run(args.toArray());
  }

  @Test
  void aWriterIsResumedAndAReaderSeesEveryBatchOnce() throws IOException {
    Path written = folder.resolve("written.jsonl");
    Path read = folder.resolve("read.jsonl");
    JsonNode first = write("--limit", "5", "--events", written).json();
    JsonNode second = write("--seal", "--events", written).json();
    assertThat(first.path("tgbs").asLong()).isEqualTo(5);
    assertThat(second.path("resumedFrom").asText()).isEqualTo(first.path("offset").asText());
    long steps = 5 + second.path("tgbs").asLong();

    JsonNode summary = read("--events", read).json();

    assertThat(summary.path("steps").asLong()).isEqualTo(steps);
    List<JsonNode> readEvents = Texts.events(read);
    assertThat(readEvents).hasSize((int) steps + 1);
    assertThat(readEvents.get((int) steps)).isEqualTo(summary);
    for (int i = 0; i < steps; i++) {
      assertThat(readEvents.get(i).path("step").asLong()).isEqualTo(i);
      assertThat(readEvents.get(i).path("seq").asLong()).isEqualTo(i);
    }
    assertThat(Texts.events(written).stream().filter(event -> event.has("seq")))
        .extracting(event -> event.path("seq").asLong())
        .startsWith(0L, 1L, 2L)
        .hasSize((int) steps)
        .doesNotHaveDuplicates();
  }

  @Test
  void anEventThatACrashCutOffIsRemoved() throws IOException {
    Path written = folder.resolve("written.jsonl");
    Path read = folder.resolve("read.jsonl");
    write("--limit", "3", "--events", written).isDone();
    Path unused = Files.writeString(written, "{\"seq\":9", StandardOpenOption.APPEND);
    write("--limit", "2", "--seal", "--events", written).isDone();
    assertThat(Texts.events(written).stream().filter(event -> event.has("seq")))
        .extracting(event -> event.path("seq").asLong())
        .containsExactly(0L, 1L, 2L, 3L, 4L);
    Path state = folder.resolve("state");
    read("--limit", "2", "--state", state, "--events", read).isDone();
    unused = Files.writeString(read, "{\"step\":2,\"ver", StandardOpenOption.APPEND);
    assertThat(read("--state", state, "--events", read).json().path("steps").asLong()).isEqualTo(5);
    assertThat(Texts.events(read)).hasSize(6);
  }

  @Test
  void aReaderThatIsResumedEndsWithTheSameHashAsOneThatReadAll() throws IOException {
    write("--seal").isDone();
    Path state = folder.resolve("state");
    Path events = folder.resolve("events.jsonl");
    read("--limit", "7", "--state", state, "--events", events).isDone();
    String checkpoint = Files.readString(state);
    read("--limit", "3", "--state", state, "--events", events).isDone();
    Files.writeString(state, checkpoint);

    JsonNode resumed = read("--state", state, "--events", events).json();

    JsonNode whole = read().json();
    assertThat(resumed.path("descriptorsSha256")).isEqualTo(whole.path("descriptorsSha256"));
    assertThat(resumed.path("steps")).isEqualTo(whole.path("steps"));
    assertThat(resumed.path("bytes")).isEqualTo(whole.path("bytes"));
    assertThat(Texts.events(events)).hasSize(whole.path("steps").asInt() + 1);
  }

  @Test
  void whatIsSkippedIsToldByReasonAndNamedIfAskedFor() throws IOException {
    Path unused = Files.writeString(text.resolve("x.class"), "binary by its name");
    unused = Files.writeString(text.resolve("0001.txt"), "a\0b");
    unused = Files.writeString(text.resolve(".hidden"), "hidden");
    unused = Files.createSymbolicLink(text.resolve("broken"), text.resolve("nowhere"));
    JsonNode summary = write("--verbose").json();
    assertThat(summary.path("skipped").toString())
        .isEqualTo("{\"binary\":2,\"brokenLink\":1,\"hidden\":1}");
    Cli again = Cli.run("write", stream, "--producer", "q", "--from", text, "--verbose").isDone();
    assertThat(again.out())
        .endsWith("\nskipped 2 binary files, 1 broken link, 1 hidden file or folder\n");
    for (String name : List.of("x.class: binary", "0001.txt: binary", "broken: broken link")) {
      assertThat(again.err().lines())
          .filteredOn(l -> l.contains("skipped") && l.contains(name))
          .hasSize(1);
    }
    assertThat(write().err()).doesNotContain("skipped");
  }
}
