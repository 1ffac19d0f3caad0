// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A write that is ahead as far as it may waits for the job, and says so. */
@Timeout(60)
final class HeldBackTest {
  private static final int INTERRUPTED = 130;
  private static final int COLUMNS = 300;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Stop stop = new Stop();

  @TempDir Path folder;
  private String stream = "";

  @BeforeEach
  void createStream() throws IOException {
    stream = Streams.uri(folder.resolve("s"));
    Cli.run("init", stream, "--mesh", "1x1").isDone();
    Path unused = Files.writeString(folder.resolve("text.txt"), "Once upon a time. ".repeat(500));
    Cli.run("group", "start", stream, "train", "--ranks", 1, "--at", 0).isDone();
  }

  private CompletableFuture<Integer> write(String limit, int steps) {
    PrintStream errors = new PrintStream(err, true, UTF_8);
    Screen screen = Screen.of(OptionalInt.of(COLUMNS));
    Console console = new Console(out, errors, Map.of(), stop, screen);
    String from = folder.resolve("text.txt").toString();
    String[] args = {
      "write",
      stream,
      "--producer",
      "p",
      "--from",
      from,
      "--sequence-length",
      "16",
      "--rows",
      "1",
      "--policy",
      "naive",
      "--limit",
      "12",
      limit,
      Integer.toString(steps)
    };
    return CompletableFuture.supplyAsync(() -> Main.run(console, args));
  }

  private long nextStep() {
    return Cli.run("info", stream, "--json").json().path("nextStep").asLong();
  }

  private void awaitSaid(String said) throws InterruptedException {
    while (!err.toString(UTF_8).contains(said)) {
      Thread.sleep(20);
    }
  }

  private void report(int step, int read) {
    Cli.run("group", "report", stream, "train", 0, "--step", step, "--read", read).isDone();
  }

  @Test
  void itWaitsForACheckpointAndThenEnds() throws Exception {
    CompletableFuture<Integer> write = write("--max-lag", 5);
    awaitSaid("held back: rank 0 of start 1 of group train, which has not reported, holds step 0");
    assertThat(nextStep()).isEqualTo(5);
    assertThat(write).isNotDone();
    report(4, 5);
    awaitSaid("holds step 4");
    assertThat(nextStep()).isEqualTo(9);
    report(9, 9);
    assertThat(write.get()).isZero();
    assertThat(nextStep()).isEqualTo(12);
  }

  @Test
  void itWaitsForTheSlowestRankAndThenEnds() throws Exception {
    CompletableFuture<Integer> write = write("--max-lead", 7);
    awaitSaid("held back: the slowest rank has read to step 0, 7 steps behind");
    assertThat(nextStep()).isEqualTo(7);
    report(0, 5);
    assertThat(write.get()).isZero();
    assertThat(nextStep()).isEqualTo(12);
  }

  @Test
  void oneThatIsStoppedThenSaysWhatHeldItBack() throws Exception {
    CompletableFuture<Integer> write = write("--max-lag", 5);
    awaitSaid("held back: ");
    stop.request(INTERRUPTED);
    assertThat(write.get()).isNotZero();
    assertThat(err.toString(UTF_8))
        .contains("stopped; 5 of 5 batches written are published; it was held back: rank 0");
    assertThat(nextStep()).isEqualTo(5);
  }
}
