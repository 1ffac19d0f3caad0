// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Passes of reclamation that follow each other until they are stopped. */
@Timeout(60)
final class ReclaimWatchTest {
  @TempDir Path folder;
  private String stream = "";

  @BeforeEach
  void createStream() throws InterruptedException {
    stream = Streams.sealed(folder.resolve("s"), 300);
    Cli.run("group", "start", stream, "train", "--ranks", 1, "--at", 0).isDone();
  }

  private void report(long step) {
    Cli.run("group", "report", stream, "train", 0, "--step", step).isDone();
  }

  private long firstStep() {
    return Cli.run("info", stream, "--json").json().path("firstStep").asLong();
  }

  private static void await(Callable<Boolean> until) throws Exception {
    while (!until.call()) {
      Thread.sleep(20);
    }
  }

  private static RunningCommand watch(String place, String... more) {
    List<String> args = new ArrayList<>(List.of("reclaim", place, "--watch", "--every", "1"));
    args.addAll(List.of(more));
    return new RunningCommand(Screen.none(), args.toArray());
  }

  @Test
  void aPassThatDidSomethingIsALineAndAStopASummary() throws Exception {
    report(100);
    RunningCommand watch = watch(stream);
    await(() -> firstStep() == 100);
    report(250);
    await(() -> firstStep() == 250);
    assertThat(watch.stop()).isZero();
    List<String> lines = watch.out().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).startsWith("first step 100 (+100): ").contains("holds step 100");
    assertThat(lines.get(1)).startsWith("first step 250 (+150): ");
    assertThat(lines.get(2)).startsWith("stopped after ").contains(": 250 steps given up, ");
    assertThat(watch.err()).isEmpty();
  }

  @Test
  void aStoreThatFailsIsTriedAgain() throws Exception {
    RunningCommand watch = watch("failing://" + folder.resolve("s"));
    Path down = FailingStoreProvider.switchOf(folder.resolve("s"));
    report(100);
    await(() -> firstStep() == 100);
    Path unused = Files.createFile(down);
    await(() -> watch.err().contains("the network is down"));
    Files.delete(down);
    report(200);
    await(() -> firstStep() == 200);
    assertThat(watch.stop()).isZero();
    assertThat(watch.err().lines())
        .allMatch(line -> line.startsWith("lakestream: a pass failed, the next one tries again: "));
    assertThat(watch.out()).contains(" failed", ": 200 steps given up");
  }

  @Test
  void damageEndsWatching() throws Exception {
    Path generation = folder.resolve("s/group/train/00000000000000000001/generation");
    byte[] bytes = Files.readAllBytes(generation);
    bytes[bytes.length / 2] ^= 1;
    Path unused = Files.write(generation, bytes);
    RunningCommand watch = watch(stream);
    assertThat(watch.status()).isEqualTo(1);
    assertThat(watch.err()).contains("generation", "corrupt").hasLineCount(1);
    assertThat(firstStep()).isZero();
  }

  @Test
  void programsGetALineOfJsonForEachPass() throws Exception {
    report(100);
    RunningCommand watch = watch(stream, "--json");
    await(() -> watch.out().lines().count() >= 2);
    assertThat(watch.stop()).isZero();
    JsonNode first = Json.parse(watch.out().lines().findFirst().orElseThrow());
    assertThat(first.path("before").asLong(-1)).isZero();
    assertThat(first.path("firstStep").asLong()).isEqualTo(100);
    assertThat(watch.out().lines()).allMatch(line -> line.startsWith("{\"dryRun\":false,"));
  }

  @Test
  void ctrlCEndsWatchingInOrder() throws Exception {
    report(100);
    try (Child child = Child.start(folder, "reclaim", stream, "--watch");
        BufferedReader lines = child.process().inputReader()) {
      assertThat(lines.readLine()).startsWith("first step 100 (+100)");
      assertThat(child.interrupt().status()).isEqualTo(RunningCommand.INTERRUPTED);
      assertThat(lines.readLine()).startsWith("stopped after 1 pass: 100 steps given up");
      assertThat(child.err()).isEmpty();
    }
    Cli.run("fsck", stream, "--deep").isDone();
  }
}
