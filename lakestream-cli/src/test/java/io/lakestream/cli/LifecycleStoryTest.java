// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job reads, reports and pins; what it needs no more goes, and the rest stays whole. */
final class LifecycleStoryTest {
  private static final int STEPS = 300;

  /** Else it would be a matter of time whether an object goes with the first steps. */
  private static final int SHARING = 10;

  @TempDir Path folder;
  private String stream = "";

  @BeforeEach
  void createStream() throws InterruptedException {
    stream = Streams.sealed(folder.resolve("s"), STEPS, SHARING);
  }

  private long dataFiles() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("s/data"))) {
      return files.filter(Files::isRegularFile).count();
    }
  }

  private static String line(Cli cli) {
    return cli.isDone().out().strip();
  }

  private void report(String group, int rank, long step) {
    Cli.run("group", "report", stream, group, rank, "--step", step).isDone();
  }

  private JsonNode reclaim(String... more) {
    List<Object> args = new ArrayList<>(List.of("reclaim", stream, "--json"));
    args.addAll(List.of(more));
    return Cli.run(args.toArray()).json();
  }

  @Test
  void aJobLetsGoOfWhatItsCheckpointsNeedNoMore() throws Exception {
    long files = dataFiles();
    assertThat(Cli.run("reclaim", stream).isDone().out())
        .contains("first step is 0; nothing is given up: no job and no user has promised anything");
    String start = line(Cli.run("group", "start", stream, "train", "--ranks", 2, "--at", 0));
    assertThat(start).isEqualTo("train@1");
    String pin = line(Cli.run("pin", stream, 150, "--label", "checkpoint-150"));
    report(start, 0, 250);
    assertThat(Cli.run("reclaim", stream).isDone().out())
        .contains("first step is 0; waits for rank 1 of start 1 of group train, which has not");
    report(start, 1, 240);
    assertThat(Cli.run("reclaim", stream, "--dry-run").isDone().out())
        .contains("would go", "first step would be 150; pin " + pin + " (checkpoint-150) holds");
    assertThat(dataFiles()).isEqualTo(files);
    assertThat(reclaim().path("firstStep").asLong()).isEqualTo(150);
    assertThat(dataFiles()).isLessThan(files).isPositive();
    Cli.run("unpin", stream, pin).isDone();
    assertThat(reclaim().path("heldBy").path("holder").asText())
        .isEqualTo("rank 1 of start 1 of group train");
    assertThat(Cli.run("fsck", stream, "--deep").isDone().out()).contains("sound", "60 from 240");
    Cli.run("read", stream, "--slice", "0,0").isRefused(1, "first step there is now is 240");
    JsonNode read = Cli.run("read", stream, "--slice", "0,0", "--from-step", 240, "--json").json();
    assertThat(read.path("steps").asLong()).isEqualTo(60);
    assertThat(Cli.run("tail", stream, "--limit", STEPS, "--json").isDone().out().lines())
        .hasSize(60);
  }

  @Test
  void aDryRunSaysWhatGoesAndNamesAllWhoHoldTheRest() {
    Cli.run("group", "start", stream, "b", "--ranks", 2, "--at", 90).isDone();
    Cli.run("pin", stream, 200).isDone();
    report("b", 1, 130);
    JsonNode look = reclaim("--dry-run");
    assertThat(look.path("dryRun").asBoolean()).isTrue();
    assertThat(look.path("before").asLong(-1)).isZero();
    assertThat(look.path("firstStep").asLong()).isEqualTo(90);
    assertThat(look.path("dataObjects").asLong()).isPositive();
    assertThat(look.path("promises").findValuesAsText("step")).containsExactly("90", "130", "200");
    assertThat(look.path("promises").findValuesAsText("kind"))
        .containsExactly("silentRank", "rank", "pin");
    JsonNode done = reclaim();
    assertThat(done.path("dataObjects")).isEqualTo(look.path("dataObjects"));
    assertThat(done.path("promises").isNull()).isTrue();
  }

  @Test
  void producersThatManyVersionsPassedAreRetiredAndNamed() throws Exception {
    Path live = folder.resolve("live");
    String place = Streams.uri(live);
    Cli.run("init", place, "--mesh", "1x1").isDone();
    Streams.leaveActive(live, "dead");
    for (int i = 0; i < 9; i++) {
      Streams.leaveActive(live, "busy");
    }
    Cli passed = Cli.run("reclaim", place, "--retire-idle", 5, "--dry-run").isDone();
    assertThat(passed.out()).contains("idle producers            1", "would be retired: dead");
    assertThat(Cli.run("reclaim", place, "--keep-idle").isDone().out()).doesNotContain("retired");
    assertThat(Cli.run("reclaim", place).isDone().out()).doesNotContain("retired");
    JsonNode retired = Cli.run("reclaim", place, "--retire-idle", 5, "--json").json();
    assertThat(retired.path("retired").get(0).asText()).isEqualTo("dead");
    assertThat(Cli.run("producers", place).isDone().out()).contains("busy", "dead");
    Cli.run("retire", place, "dead").isRefused(1, "not active");
  }

  @Test
  void watermarksShowWhereEverybodyStandsAndWhoHoldsTheStream() {
    assertThat(Cli.run("watermarks", stream).isDone().out())
        .isEqualTo(
            """
            steps     0 to 299
            W_global  none; nothing is given up: no job and no user has promised anything
            """);
    Cli.run("group", "start", stream, "train", "--ranks", 3, "--at", 40).isDone();
    Cli.run("group", "report", stream, "train", 0, "--step", 60, "--read", 66).isDone();
    String out = Cli.run("watermarks", stream).isDone().out();
    assertThat(out.lines().map(line -> line.replaceAll(" +", " ")))
        .contains(
            "train 1 3 0 60 66",
            "train 1 3 1 - - not reported: counts as step 40",
            "W_global 40; waits for rank 1 of start 1 of group train, which has not reported and"
                + " counts as step 40, as does 1 other");
    Cli.run("pin", stream, 30, "--label", "best so far").isDone();
    JsonNode json = Cli.run("watermarks", stream, "--json").json();
    assertThat(json.path("wGlobal").asLong()).isEqualTo(30);
    assertThat(json.path("heldBy").findValuesAsText("kind")).containsExactly("pin");
    assertThat(json.path("groups").get(0).path("ranks").findValuesAsText("heldStep"))
        .containsExactly("60", "40", "40");
    assertThat(json.path("pins").get(0).path("label").asText()).isEqualTo("best so far");
  }

  @Test
  void aRankMayRollBackAndIsToldWhatThatMeans() {
    String start = line(Cli.run("group", "start", stream, "t", "--ranks", 1, "--at", 100));
    assertThat(line(Cli.run("group", "report", stream, start, 0, "--step", 90)))
        .contains("it rolled back: its job started at step 100");
    report(start, 0, 200);
    assertThat(line(Cli.run("group", "report", stream, "t", 0, "--step", 120, "--start", 1)))
        .contains("it rolled back: it reported step 200 before", "nothing from step 120 on");
    JsonNode json =
        Cli.run("group", "report", stream, "t", 0, "--step", 130, "--read", 140, "--json").json();
    assertThat(json.path("rolledBack").asBoolean(true)).isFalse();
    assertThat(json.path("previousStep").asLong()).isEqualTo(120);
    assertThat(json.path("readStep").asLong()).isEqualTo(140);
  }

  @Test
  void aJobThatIsDoneIsRemovedAndMayStartAgain() {
    Cli.run("group", "start", stream, "train", "--ranks", 4, "--at", 0).isDone();
    Cli.run("group", "remove", stream, "train").isDone();
    assertThat(Cli.run("watermarks", stream, "--json").json().path("groups")).isEmpty();
    JsonNode again =
        Cli.run("group", "start", stream, "train", "--ranks", 8, "--at", 7, "--json").json();
    assertThat(again.path("token").asText()).isEqualTo("train@2");
    assertThat(again.path("worldSize").asInt()).isEqualTo(8);
    assertThat(again.path("startStep").asLong()).isEqualTo(7);
  }

  @Test
  void pinsAreListedWithTheLowestFirst() {
    Cli.run("pin", stream, 20, "--label", "two\nlines").isDone();
    String low = line(Cli.run("pin", stream, 10));
    JsonNode pins = Cli.run("pins", stream, "--json").json();
    assertThat(pins.findValuesAsText("step")).containsExactly("10", "20");
    assertThat(pins.get(0).path("name").asText()).isEqualTo(low);
    assertThat(Cli.run("pins", stream).isDone().out().lines()).hasSize(3);
    assertThat(Cli.run("unpin", stream, low, "--json").json().path("unpinned").asBoolean())
        .isTrue();
  }

  @Test
  void aForkGoesItsOwnWayAndItsSourceKeepsWhatItNeeds() throws Exception {
    Path place = folder.resolve("fork");
    JsonNode forked = Cli.run("fork", stream, place, "--at", 250, "--json").json();
    assertThat(forked.path("nextStep").asLong()).isEqualTo(250);
    assertThat(forked.path("producers").asLong()).isEqualTo(1);
    assertThat(Cli.run("info", place).isDone().out())
        .contains("forked from", "file://", "steps 0 to 249");
    assertThat(Cli.run("pins", stream).isDone().out()).contains("fork file://" + place);
    Cli.run("pin", stream, 290).isDone();
    assertThat(reclaim().path("firstStep").asLong()).isZero();
    Cli.run("pin", place, 100).isDone();
    Cli.run("reclaim", place).isDone();
    assertThat(reclaim().path("firstStep").asLong()).isEqualTo(100);
    for (Object checked : new Object[] {place, stream}) {
      Cli.run("fsck", checked, "--deep").isDone();
    }
    Cli.run("seal", place).isDone();
    Cli read = Cli.run("read", place, "--slice", "0,0", "--from-step", 100, "--json");
    assertThat(read.isDone().json().path("steps").asLong()).isEqualTo(150);
  }

  @Test
  void infoOfAForkOfAForkSaysWhichStepsItStillTakesFromEach() throws Exception {
    Path first = folder.resolve("first");
    Path later = folder.resolve("later");
    Path earlier = folder.resolve("earlier");
    Path empty = folder.resolve("empty");
    Cli.run("fork", stream, first, "--at", 200).isDone();
    Streams.append(first, "q", 50);
    Cli.run("fork", first, later, "--at", 240).isDone();
    Cli.run("fork", first, earlier, "--at", 100).isDone();
    Cli.run("fork", stream, empty, "--at", 0).isDone();
    assertThat(forkedFrom(later)).containsExactly("/s, steps 0 to 199", "/first, steps 200 to 239");
    assertThat(forkedFrom(earlier)).containsExactly("/s, steps 0 to 99", "/first, no steps");
    assertThat(forkedFrom(empty)).containsExactly("/s, no steps");
    reclaimBelow(later, 150);
    assertThat(forkedFrom(later))
        .containsExactly("/s, steps 150 to 199", "/first, steps 200 to 239");
    reclaimBelow(later, 220);
    assertThat(forkedFrom(later)).containsExactly("/s, no steps", "/first, steps 220 to 239");
  }

  private static void reclaimBelow(Path stream, long step) {
    Cli.run("group", "start", stream, "t", "--ranks", 1, "--at", step).isDone();
    Cli.run("reclaim", stream).isDone();
  }

  /** The sources that {@code info} names, from the last part of their path on. */
  private static List<String> forkedFrom(Path stream) {
    return Cli.run("info", stream)
        .isDone()
        .out()
        .lines()
        .filter(line -> line.startsWith("forked from"))
        .map(line -> line.substring(line.lastIndexOf('/')))
        .map(line -> line.replace("?durability=none", ""))
        .toList();
  }
}
