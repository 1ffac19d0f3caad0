// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A damaged object is named, together with the place of the damage, and never believed. */
final class DamageTest {
  private static final int FAILED = 1;

  /** More than the head holds, so that there are segments. */
  private static final int MANY = 700;

  @TempDir Path folder;

  /** What can happen to a file. */
  private enum Damage {
    EMPTIED,
    CUT,
    FLIPPED_AT_START,
    FLIPPED_IN_MIDDLE,
    FLIPPED_AT_END;

    void inflict(Path file) throws IOException {
      byte[] bytes = Files.readAllBytes(file);
      switch (this) {
        case EMPTIED -> bytes = new byte[0];
        case CUT -> bytes = java.util.Arrays.copyOf(bytes, bytes.length / 2);
        case FLIPPED_AT_START -> bytes[1] ^= 0x10;
        case FLIPPED_IN_MIDDLE -> bytes[bytes.length / 2] ^= 0x10;
        case FLIPPED_AT_END -> bytes[bytes.length - 1] ^= 0x10;
      }
      Path unused = Files.write(file, bytes);
    }
  }

  private Path only(String name) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.toString().matches(".*/" + name))
          .sorted()
          .findFirst()
          .get();
    }
  }

  private String key(Path file) {
    return folder.resolve("s").relativize(file).toString();
  }

  @ParameterizedTest
  @EnumSource
  void ofTheNewestManifest(Damage damage) throws Exception {
    String stream = Streams.sealed(folder.resolve("s"), 3);
    try (Stream<Path> files = Files.list(folder.resolve("s/manifest"))) {
      Path newest =
          files.filter(f -> f.toString().endsWith(".manifest")).sorted().reduce((a, b) -> b).get();
      damage.inflict(newest);
      for (String command : List.of("info", "log", "steps", "producers", "tail", "seal")) {
        Cli.run(command, stream).isRefused(FAILED, key(newest));
      }
      Cli.run("read", stream, "--slice", "0,0").isRefused(FAILED, key(newest));
      Cli doctor = Cli.run("doctor", stream);
      assertThat(doctor.status()).isEqualTo(FAILED);
      assertThat(doctor.out()).contains("the namespace can be read", key(newest));
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofASegment(Damage damage) throws Exception {
    String stream = Streams.sealed(folder.resolve("s"), MANY);
    Path segment = only("segment/.*0-.*");
    damage.inflict(segment);
    Cli.run("info", stream).isDone();
    Cli.run("steps", stream).isRefused(FAILED, key(segment));
    Cli.run("cat", stream, "0").isRefused(FAILED, key(segment));
    Cli.run("read", stream, "--slice", "0,0").isRefused(FAILED, key(segment));
    Cli.run("cat", stream, String.valueOf(MANY - 1)).isDone();
  }

  @ParameterizedTest
  @EnumSource
  void ofABatch(Damage damage) throws Exception {
    String stream = Streams.sealed(folder.resolve("s"), 1);
    Path batch = only("data/.*");
    damage.inflict(batch);
    Cli.run("steps", stream).isDone();
    Cli slice = Cli.run("cat", stream, "0", "--slice", "0,0");
    Cli footer = Cli.run("cat", stream, "0");
    Cli read = Cli.run("read", stream, "--slice", "0,0");
    if (damage == Damage.EMPTIED) {
      slice.isRefused(FAILED, key(batch));
      read.isRefused(FAILED, key(batch));
    }
    if (damage == Damage.EMPTIED || damage == Damage.CUT) {
      footer.isRefused(FAILED, key(batch));
    }
    for (Cli cli : List.of(slice, footer, read)) {
      if (cli.status() != 0) {
        cli.isRefused(FAILED, key(batch));
      }
    }
  }

  @Test
  void ofOneBitInTheSliceOrInTheFooter() throws Exception {
    String stream = Streams.sealed(folder.resolve("s"), 1);
    Path batch = only("data/.*");
    byte[] whole = Files.readAllBytes(batch);
    int slice = new String(whole, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("batch 0");
    byte[] damaged = whole.clone();
    damaged[slice] ^= 1;
    Path unused = Files.write(batch, damaged);
    Cli.run("cat", stream, "0", "--slice", "0,0")
        .isRefused(FAILED, key(batch), "expected", "found");
    Cli.run("read", stream, "--slice", "0,0").isRefused(FAILED, key(batch), "expected", "found");
    damaged = whole.clone();
    damaged[whole.length - 40] ^= 1;
    unused = Files.write(batch, damaged);
    Cli.run("cat", stream, "0").isRefused(FAILED, key(batch), "expected", "found");
  }

  @Test
  void ofTheHintIsAWarningInOneLine() throws Exception {
    String stream = Streams.sealed(folder.resolve("s"), 2);
    Path hint = only("manifest/_hint");
    Damage.FLIPPED_AT_END.inflict(hint);
    Cli steps = Cli.run("steps", stream).isDone();
    assertThat(steps.err())
        .startsWith("lakestream: warning: manifest/_hint is damaged")
        .hasLineCount(1);
  }

  @Test
  void aMissingObjectIsALoss() throws Exception {
    String stream = Streams.sealed(folder.resolve("s"), 1);
    Path batch = only("data/.*");
    Files.delete(batch);
    Cli.run("read", stream, "--slice", "0,0").isRefused(FAILED, key(batch), "missing");
    Cli.run("cat", stream, "0").isRefused(FAILED, key(batch), "missing");
  }
}
