// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkFolderTest {
  @TempDir Path place;

  @Test
  void isGoneWithAllThatIsInIt() throws IOException {
    try (WorkFolder work = WorkFolder.in(place.resolve("new"))) {
      Files.createDirectories(work.resolve("a/b"));
      Files.writeString(work.resolve("a/b/c"), "text");
    }
    assertThat(place.resolve("new")).isEmptyDirectory();
  }

  @Test
  void whatKilledProcessesLeftIsDeletedAndNothingElse() throws IOException {
    Path left = Files.createDirectories(place.resolve("lakestream-bench-999999999999-1/data"));
    Path other = Files.createDirectories(place.resolve("lakestream-bench-notes"));
    try (WorkFolder first = WorkFolder.in(place);
        WorkFolder second = WorkFolder.in(place)) {
      assertThat(left.getParent()).doesNotExist();
      assertThat(other).exists();
      assertThat(first.resolve(".")).exists();
      assertThat(second.resolve(".")).exists();
    }
  }

  @Test
  void keepsTenGigabytesFree() throws IOException {
    try (WorkFolder work = WorkFolder.in(place)) {
      long freeBytes = Files.getFileStore(place).getUsableSpace();
      assertThatIOException()
          .isThrownBy(() -> work.requireRoom(freeBytes - WorkFolder.FREE_BYTES_MIN + 1_000_000_000))
          .withMessageContaining("10,000 MB");
    }
  }
}
