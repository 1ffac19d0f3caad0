// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code skip}, {@code skips}, and who honours them. */
final class SkipCommandTest {
  @TempDir Path folder;
  private String stream = "";

  @BeforeEach
  void createStream() throws InterruptedException {
    stream = Streams.sealed(folder.resolve("stream"), 12);
  }

  private Cli skip(Object range, Object... more) {
    List<Object> args = new ArrayList<>(List.of("skip", stream, range));
    args.addAll(List.of(more));
    return Cli.run(args.toArray());
  }

  private void start(long step) {
    Cli.run("group", "start", stream, "train", "--ranks", 1, "--at", step).isDone();
  }

  /** The steps that a rank reads, and the one after the last of them. */
  private JsonNode read(Object... more) {
    List<Object> args = new ArrayList<>(List.of("read", stream, "--slice", "0,0", "--json"));
    args.addAll(List.of(more));
    return Cli.run(args.toArray()).json();
  }

  @Test
  void whatIsSkippedIsListedMarkedAndCounted() {
    assertThat(skip("3:6", "--reason", "loss spike").isDone().out())
        .isEqualTo("steps 3 to 5: skipped by every start of a job from now on\n");
    assertThat(skip("9:10", "--reason", "twice").isDone().out()).startsWith("step 9: skipped");
    assertThat(skip("4:6", "--reason", "again").isDone().out())
        .isEqualTo("steps 4 to 5: to be skipped already, nothing has changed\n");
    JsonNode skips = Cli.run("skips", stream, "--json").json();
    assertThat(skips.findValuesAsText("reason")).containsExactly("loss spike", "twice");
    assertThat(skips.findValuesAsText("end")).containsExactly("6", "10");
    assertThat(Cli.run("skips", stream).isDone().out().lines().toList().get(1))
        .matches("    3     5 +\\d+  loss spike");
    JsonNode steps = Cli.run("steps", stream, "--from", 5, "--limit", 2, "--json").json();
    assertThat(steps.get(0).path("skippedFrom")).isEqualTo(skips.get(0).path("version"));
    assertThat(steps.get(1).path("skippedFrom").isNull()).isTrue();
    assertThat(Cli.run("steps", stream).isDone().out())
        .contains("\nstep 5 is skipped by starts", "\nstep 9 is skipped by starts")
        .doesNotContain("step 6 is");
    assertThat(Cli.run("info", stream, "--json").json().path("skippedSteps").asInt()).isEqualTo(4);
    assertThat(Cli.run("info", stream).isDone().out()).contains("skipped      4 steps from the");
    assertThat(Cli.run("log", stream).isDone().out()).contains("skip");
    assertThat(Cli.run("fsck", stream).isDone().out()).contains("sound");
  }

  @Test
  void jsonSaysWhetherItWasRecorded() {
    JsonNode first = skip("3:6", "--reason", "x", "--json").json();
    assertThat(first.path("recorded").asBoolean()).isTrue();
    assertThat(first.path("version").asLong()).isPositive();
    JsonNode again = skip("3:6", "--reason", "x", "--json").json();
    assertThat(again.path("recorded").asBoolean(true)).isFalse();
    assertThat(again.path("version").isNull()).isTrue();
  }

  @Test
  void aRankOfAStartSkipsWhatWasRecordedBeforeIt() throws Exception {
    start(0);
    assertThat(read("--start", "train@1").path("steps").asInt()).isEqualTo(12);
    skip("0:5", "--reason", "bad").isDone();
    assertThat(read("--start", "train").path("steps").asInt()).isEqualTo(12);
    start(3);
    skip("11:12", "--reason", "bad").isDone();
    assertThat(read("--start", "train@2").path("steps").asInt()).isEqualTo(7);
    assertThat(read().path("steps").asInt()).as("no start").isEqualTo(12);
    Path state = folder.resolve("state");
    read("--start", "train", "--state", state, "--limit", 2);
    assertThat(Files.readString(state)).contains("\"step\":7,");
    assertThat(read("--start", "train", "--state", state).path("steps").asInt()).isEqualTo(5);
  }

  @Test
  void aRankBeginsAtTheStepOfItsStartUnlessToldOtherwise() {
    start(4);
    assertThat(read("--start", "train@1").path("steps").asInt()).isEqualTo(8);
    assertThat(read("--start", "train@1", "--from-step", 10).path("steps").asInt()).isEqualTo(2);
  }

  @Test
  void aStartThatDoesNotCountIsRefused() {
    Object[] read = {"read", stream, "--slice", "0,0", "--start", "train@1"};
    Cli.run(read).isRefused(1, "no group 'train'");
    start(0);
    start(0);
    Cli.run(read).isRefused(1, "was started again (start 2)");
    Cli.run("read", stream, "--slice", "0,0", "--start", "train@3").isRefused(1, "no start 3");
  }

  @Test
  void rangesThatCannotBeAreRefused() {
    skip("3", "--reason", "x").isRefused(2, "steps are written A:B", "'3'");
    skip("3:x", "--reason", "x").isRefused(2, "steps are written A:B");
    skip("3:3", "--reason", "x").isRefused(2, "3:3 has no steps", "3:4 is step 3");
    skip("5:3", "--reason", "x").isRefused(2, "5:3 has no steps");
    skip("3:13", "--reason", "x").isRefused(2, "steps 3 to 12", "ends before step 12");
    skip("3:4").isRefused(2, "--reason");
    skip("3:4", "--reason", " ").isRefused(2, "1 to 200 characters");
    skip("3:4", "--reason", "x".repeat(201)).isRefused(2, "not 201");
    Cli.run("pin", stream, 8).isDone();
    Cli.run("reclaim", stream).isDone();
    skip("7:9", "--reason", "x").isRefused(2, "first step there is now is 8");
    assertThat(Cli.run("skips", stream, "--json").json()).isEmpty();
  }

  @Test
  void aPartOfAStepOfTheJobIsRefusedWithWhatWouldDo() {
    skip("3:6", "--reason", "bad").isDone();
    start(0);
    Object[] read = {
      "read", stream, "--slice", "0,0", "--start", "train", "--mesh", "2x1", "--remap"
    };
    List<Object> args = new ArrayList<>(List.of(read));
    args.add("keep-rank-batch");
    Cli.run(args.toArray()).isRefused(2, "skip steps 2 to 5 and start the job anew");
  }
}
