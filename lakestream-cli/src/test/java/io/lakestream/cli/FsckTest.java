// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code fsck} as users meet it: what it prints, and how it ends. */
final class FsckTest {
  private static final int FAILED = 1;

  @TempDir Path folder;

  private Path batch() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("s/data"))) {
      return files.filter(Files::isRegularFile).findFirst().get();
    }
  }

  @Test
  void aSoundStreamIsSoundForPeopleAndForPrograms() throws Exception {
    String stream = Streams.sealed(folder.resolve("s"), 12);
    assertThat(Cli.run("fsck", stream).isDone().out())
        .contains("steps      12 from 0, slices not read", "verdict    sound")
        .doesNotContain("note");
    JsonNode json = Cli.run("fsck", stream, "--deep", "--json").json();
    assertThat(json.path("ok").asBoolean()).isTrue();
    assertThat(json.path("deep").asBoolean()).isTrue();
    assertThat(json.path("steps").asLong()).isEqualTo(12);
    assertThat(json.path("problems")).isEmpty();
  }

  @Test
  void whatIsMissingIsNamedOnALineOfItsOwn() throws Exception {
    String stream = Streams.sealed(folder.resolve("s"), 12);
    Path batch = batch();
    String key = folder.resolve("s").relativize(batch).toString();
    Files.delete(batch);
    Cli fsck = Cli.run("fsck", stream);
    assertThat(fsck.status()).isEqualTo(FAILED);
    assertThat(fsck.out().lines())
        .anyMatch(line -> line.startsWith("I5 ") && line.contains(key + "  is missing, though "));
    assertThat(fsck.out()).contains("verdict    DAMAGED: 1 problem\n");
    JsonNode json = Json.parse(Cli.run("fsck", stream, "--json").out());
    assertThat(json.path("ok").asBoolean(true)).isFalse();
    assertThat(json.path("problems").get(0).path("invariant").asText()).isEqualTo("I5");
    assertThat(json.path("problems").get(0).path("object").asText()).isEqualTo(key);
  }

  @Test
  void aBitInASliceIsFoundByReadingEveryByte() throws Exception {
    String stream = Streams.sealed(folder.resolve("s"), 3);
    Path batch = batch();
    byte[] bytes = Files.readAllBytes(batch);
    bytes[34] ^= 1;
    Path unused = Files.write(batch, bytes);
    Cli.run("fsck", stream).isDone();
    Cli deep = Cli.run("fsck", stream, "--deep");
    assertThat(deep.status()).isEqualTo(FAILED);
    assertThat(deep.out()).contains("is corrupt at", batch.getFileName().toString());
  }

  @Test
  void anOpenProducerIsNoCauseForAlarm() throws Exception {
    String stream = Streams.sealed(folder.resolve("s"), 3);
    Files.createDirectories(folder.resolve("s/data/00"));
    Path unused = Files.write(folder.resolve("s/data/00/left"), new byte[3]);
    assertThat(Cli.run("fsck", stream).isDone().out())
        .contains("note", "left by a producer that crashed", "data/00/left", "sound");
  }

  @Test
  void whatIsNoNamespaceIsAFailureAndUnknownOptionsAreWrongUsage() throws IOException {
    Cli.run("fsck", Files.createDirectory(folder.resolve("x"))).isRefused(FAILED, "no namespace");
    Cli.run("fsck", folder.resolve("nothing")).isRefused(FAILED, "no namespace");
    for (List<String> args : List.of(List.of("fsck"), List.of("fsck", "x", "--repair"))) {
      assertThat(Cli.run(args.toArray()).status()).isEqualTo(2);
    }
  }
}
