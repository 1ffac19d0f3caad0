// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A write that is ahead as far as it may waits for the job, and says so. */
@Timeout(60)
final class HeldBackTest {
  private static final int COLUMNS = 300;

  @TempDir Path folder;
  private String stream = "";

  @BeforeEach
  void createStream() throws IOException {
    stream = Streams.uri(folder.resolve("s"));
    Cli.run("init", stream, "--mesh", "1x1").isDone();
    Path unused = Files.writeString(folder.resolve("text.txt"), "Once upon a time. ".repeat(500));
    Cli.run("group", "start", stream, "train", "--ranks", 1, "--at", 0).isDone();
  }

  private RunningCommand write(String limit, int steps) {
    List<Object> args = new ArrayList<>(List.of("write", stream, "--producer", "p"));
    args.addAll(List.of("--from", folder.resolve("text.txt"), "--sequence-length", 16));
    args.addAll(List.of("--rows", 1, "--policy", "naive", "--limit", 12, limit, steps));
    return new RunningCommand(Screen.of(OptionalInt.of(COLUMNS)), args.toArray());
  }

  private long nextStep() {
    return Cli.run("info", stream, "--json").json().path("nextStep").asLong();
  }

  private static void awaitSaid(RunningCommand write, String said) throws InterruptedException {
    while (!write.err().contains(said)) {
      Thread.sleep(20);
    }
  }

  private void report(int step, int read) {
    Cli.run("group", "report", stream, "train", 0, "--step", step, "--read", read).isDone();
  }

  @Test
  void itWaitsForACheckpointAndThenEnds() throws Exception {
    RunningCommand write = write("--max-lag", 5);
    awaitSaid(
        write, "held back: rank 0 of start 1 of group train, which has not reported, holds step 0");
    assertThat(nextStep()).isEqualTo(5);
    assertThat(write.isRunning()).isTrue();
    report(4, 5);
    awaitSaid(write, "holds step 4");
    assertThat(nextStep()).isEqualTo(9);
    report(9, 9);
    assertThat(write.status()).isZero();
    assertThat(nextStep()).isEqualTo(12);
  }

  @Test
  void itWaitsForTheSlowestRankAndThenEnds() throws Exception {
    RunningCommand write = write("--max-lead", 7);
    awaitSaid(write, "held back: the slowest rank has read to step 0, 7 steps behind");
    assertThat(nextStep()).isEqualTo(7);
    report(0, 5);
    assertThat(write.status()).isZero();
    assertThat(nextStep()).isEqualTo(12);
  }

  @Test
  void oneThatIsStoppedThenSaysWhatHeldItBack() throws Exception {
    RunningCommand write = write("--max-lag", 5);
    awaitSaid(write, "held back: ");
    assertThat(write.stop()).isNotZero();
    assertThat(write.err())
        .contains("stopped; 5 of 5 batches written are published; it was held back: rank 0");
    assertThat(nextStep()).isEqualTo(5);
  }
}
