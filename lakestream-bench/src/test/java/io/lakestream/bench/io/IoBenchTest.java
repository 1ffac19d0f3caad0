// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lakestream.bench.Progress;
import io.lakestream.bench.WorkFolder;
import io.lakestream.model.InvalidRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small run: what is counted is right, and nothing is left. Speeds are not looked at. */
final class IoBenchTest {
  private static final long ROOM = WorkFolder.FREE_BYTES_MIN + 2_000_000_000L;

  @TempDir Path place;

  @Test
  void metadataIsSmallBesideTheSlicesOfAWideMesh() throws Exception {
    assumeThat(Files.getFileStore(place).getUsableSpace()).isGreaterThan(ROOM);
    IoSettings settings =
        new IoSettings(place, List.of(100_000, 1_000_000), 2, 1, 2, 1, 10, 2_000_000, 2_000, 256);
    List<IoFigure> figures = IoBench.run(settings, Progress.none());
    assertThat(figures)
        .extracting(figure -> figure.op() + " " + figure.tgbBytes() + " " + figure.ranks())
        .containsExactly(
            "write 100000 1",
            "read 100000 1",
            "write 1000000 1",
            "read 1000000 1",
            "read 100096 128",
            "write 100000 1");
    assertThat(figures.subList(0, 4))
        .allSatisfy(figure -> assertThat(figure.ratioToRaw()).isPositive());
    IoFigure metadata = figures.get(4);
    assertThat(metadata.readAmplification()).isBetween(1.0, 1.10);
    assertThat(metadata.metadataBytesPerVersion()).isBetween(1.0, 8.0 * 1024);
    assertThat(figures.get(5).bundleBytes()).isEqualTo(1024 * 1024);
    assertThat(place).isEmptyDirectory();
  }

  @Test
  void settingsThatMakeNoSenseAreRefused() {
    assertRefused(List.of(), 4, 7, "at least one size");
    assertRefused(List.of(10), 4, 7, "10 bytes");
    assertRefused(List.of(1_000_000), 0, 7, "in flight");
    assertRefused(List.of(1_000_000), 4, 0, "pairs");
  }

  private void assertRefused(List<Integer> sizes, int inFlight, int pairs, String message) {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> IoSettings.thorough(place, sizes, inFlight, pairs))
        .withMessageContaining(message);
  }
}
