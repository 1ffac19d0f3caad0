// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lakestream.bench.WorkFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lakestream bench}: options, JSON, and tables; the figures are the bench module's. */
final class BenchTest {
  private static final long ROOM = WorkFolder.FREE_BYTES_MIN + 2_000_000_000L;

  @TempDir Path folder;

  private void assumeRoom() throws IOException {
    assumeThat(Files.getFileStore(folder).getUsableSpace()).isGreaterThan(ROOM);
  }

  @Test
  void commitPrintsAListWithAnObjectForEachHistory() throws IOException {
    assumeRoom();
    JsonNode list =
        Cli.run("bench", "commit", "--at", folder, "--steps", "200,900", "--cycles", 1, "--json")
            .json();
    assertThat(list).hasSize(2);
    assertThat(list.get(0).path("steps").asLong()).isEqualTo(200);
    assertThat(list.get(1).path("coldOpenRequests").asLong()).isLessThanOrEqualTo(6);
    CommandPageTest.assertNamed(list, "`bench commit`");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void commitPrintsEachFigureBesideItsDemand() throws IOException {
    assumeRoom();
    Cli run =
        Cli.run("bench", "commit", "--at", folder, "--steps", "200,900", "--cycles", 1).isDone();
    assertThat(run.out())
        .containsPattern("mean time, 900 against 200 steps +[0-9.]+ +≤ 1.20 +(met|NOT MET)\n")
        .containsPattern("requests of a warm poll +1 +≤ 1 +met\n");
  }

  @Test
  void ioPrintsAListWithAnObjectForEachFigure() throws IOException {
    assumeRoom();
    JsonNode list =
        Cli.run("bench", "io", "--at", folder, "--sizes", "1MB", "--pairs", 1, "--quick", "--json")
            .json();
    assertThat(list).hasSize(3);
    assertThat(list.get(0).path("op").asText()).isEqualTo("write");
    assertThat(list.get(2).path("readAmplification").asDouble()).isLessThanOrEqualTo(1.10);
    CommandPageTest.assertNamed(list, "`bench io`");
  }

  @Test
  void ioPrintsEachFigureBesideItsDemand() throws IOException {
    assumeRoom();
    Object[] quick = {"bench", "io", "--at", folder, "--sizes", "1MB", "--pairs", 1, "--quick"};
    assertThat(Cli.run(quick).isDone().out())
        .containsPattern("write +1 MB +[0-9,]+ MB/s +[0-9,]+ MB/s +[0-9.]+ +≥ 0.80 +(met|NOT MET)")
        .containsPattern("read amplification, 128 ranks +100.1 KB +1.0[0-9]+ +≤ 1.10 +met");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void lifecyclePrintsOneObject() throws IOException {
    assumeRoom();
    JsonNode figure = Cli.run(shortLifecycle("--json")).json();
    CommandPageTest.assertNamed(figure, "`bench lifecycle`");
    assertThat(figure.path("withoutReclaimPeakBytes").asLong())
        .isGreaterThan(figure.path("withReclaimPeakBytes").asLong());
    assertThat(figure.path("reduction").asDouble()).isBetween(0.01, 0.99);
    assertThat(figure.path("liveBytesDeleted").asLong(-1)).isZero();
    assertThat(figure.path("resumeRequests").asLong()).isBetween(1L, 10L);
    assertThat(figure.path("resumeBytes").asLong()).isBetween(1L, 16L << 20);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void lifecyclePrintsEachFigureBesideItsDemandAndDrawsWhatWasStored() throws IOException {
    assumeRoom();
    Cli run = Cli.run(shortLifecycle("--kept-checkpoints", "2")).isDone();
    assertThat(run.out())
        .containsPattern("reduction +[0-9.]+ % +≥ 72.0 % +(met|NOT MET)\n")
        .containsPattern("live bytes deleted +0 B +0 B +met\n")
        .containsPattern("bytes to resume +[0-9.]+ KiB +≤ 16.0 MiB +met\n")
        .containsPattern("\n +[0-9.]+ [KM]iB \\| +o+\n")
        .containsPattern("\n +0 B \\+-{20}\n +0 +200\n")
        .contains("durability none");
    assertThat(run.err()).isEmpty();
  }

  private Object[] shortLifecycle(String... more) {
    List<Object> args = new ArrayList<>();
    args.addAll(List.of("bench", "lifecycle", "--at", folder, "--steps", 200));
    args.addAll(List.of("--size", "20KB", "--history", 5_000));
    args.addAll(List.of(more));
    return args.toArray();
  }

  @Test
  void argumentsThatMakeNoSenseAreRefused() {
    Cli.run("bench").isRefused(2, "name what to measure");
    Cli.run("bench", "io", "--sizes", "1XB").isRefused(2, "100KB");
    Cli.run("bench", "io", "--sizes", "9GB").isRefused(2, "at most 1GB");
    Cli.run("bench", "io", "--sizes", "10B").isRefused(2, "10 bytes");
    Cli.run("bench", "io", "--pairs", 0).isRefused(2, "pairs");
    Cli.run("bench", "io", "--in-flight", 0).isRefused(2, "in flight");
    Cli.run("bench", "commit", "--steps", 0).isRefused(2, "1 to");
    Cli.run("bench", "commit", "--cycles", 0).isRefused(2, "cycles");
    Cli.run("bench", "lifecycle", "--steps", 15).isRefused(2, "a multiple of 10");
    Cli.run("bench", "lifecycle", "--size", "9B").isRefused(2, "9 bytes");
    Cli.run("bench", "lifecycle", "--kept-checkpoints", 0).isRefused(2, "1 to 8");
    Cli.run("bench", "lifecycle", "--kept-checkpoints", 9).isRefused(2, "80 ahead");
    Cli.run("bench", "lifecycle", "--history", 10).isRefused(2, "5,000");
  }
}
