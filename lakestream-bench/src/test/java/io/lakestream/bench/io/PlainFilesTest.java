// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plain side does what it is said to do. */
final class PlainFilesTest {
  private static final int BYTES = 3_000_000;

  @TempDir Path root;

  private long files() throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).count();
    }
  }

  @Test
  void writesAndReadsEveryStepOnce() throws Exception {
    PlainFiles plain = new PlainFiles(root, 3);
    plain.write(new Payloads(BYTES), 7);
    assertThat(files()).isEqualTo(7);
    plain.read(7);
    plain.clear();
    assertThat(files()).isZero();
  }

  @Test
  void noticesADamagedByte() throws Exception {
    PlainFiles plain = new PlainFiles(root, 2);
    plain.write(new Payloads(BYTES), 1);
    Path file = root.resolve("00/0000000000000000");
    byte[] bytes = Files.readAllBytes(file);
    assertThat(bytes).hasSize(BYTES + Integer.BYTES);
    bytes[BYTES / 2] ^= 1;
    Files.write(file, bytes);
    assertThatIOException().isThrownBy(() -> plain.read(1)).withMessageContaining("damaged");
  }

  @Test
  void noticesAMissingFile() throws Exception {
    PlainFiles plain = new PlainFiles(root, 2);
    plain.write(new Payloads(BYTES), 1);
    assertThatIOException().isThrownBy(() -> plain.read(2));
  }
}
