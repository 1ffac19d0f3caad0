// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands of checkpoints and reclamation refuse, and how. */
final class LifecycleBadInputTest {
  private static final int FAILED = 1;
  private static final int USAGE = 2;
  private static final String NO_PIN = "00000000000000000005-0123456789abcdef";

  @TempDir Path folder;
  private String stream = "";

  @BeforeEach
  void createStream() throws InterruptedException {
    stream = Streams.sealed(folder.resolve("s"), 12);
  }

  private static Cli report(String stream, Object group, Object rank, Object... more) {
    List<Object> args = new ArrayList<>(List.of("group", "report", stream, group, rank));
    args.addAll(List.of(more));
    return Cli.run(args.toArray());
  }

  private void start(String group, int ranks, long step) {
    Cli.run("group", "start", stream, group, "--ranks", ranks, "--at", step).isDone();
  }

  /** Gives up the steps below 8. */
  private void trim() {
    Cli.run("pin", stream, 8).isDone();
    Cli.run("reclaim", stream).isDone();
  }

  @Test
  void aPinThatIsNotThereCannotBeTakenBack() {
    Cli.run("unpin", stream, NO_PIN).isRefused(FAILED, "no pin " + NO_PIN, "lakestream pins");
    Cli.run("unpin", stream, "checkpoint-5").isRefused(USAGE, "'checkpoint-5' is no name of a pin");
    Cli.run("unpin", stream, "../namespace.json").isRefused(USAGE, "is no name of a pin");
    Cli json = Cli.run("unpin", stream, NO_PIN, "--json");
    assertThat(json.status()).isEqualTo(FAILED);
    assertThat(json.out()).contains("\"unpinned\" : false");
  }

  @Test
  void aPinIsAtAStepThatCanBeResumedFrom() {
    Cli.run("pin", stream, 13).isRefused(USAGE, "step 13 is beyond the head", "12 steps");
    Cli.run("pin", stream, 12).isDone();
    Cli.run("pin", stream, "-1").isRefused(USAGE, "-1");
    Cli.run("pin", stream, "last").isRefused(USAGE, "STEP", "'last'");
    trim();
    Cli.run("pin", stream, 7).isRefused(FAILED, "step 7 was reclaimed", "is 8;");
    assertThat(Cli.run("pins", stream, "--json").json()).hasSize(2);
  }

  @Test
  void aJobStartsWhereTheStreamIs() {
    Cli.run("group", "start", stream, "t", "--ranks", 1, "--at", 13)
        .isRefused(USAGE, "step 13 is beyond the head");
    trim();
    Cli.run("group", "start", stream, "t", "--ranks", 1, "--at", 7)
        .isRefused(FAILED, "step 7 was reclaimed", "is 8;");
    assertThat(Cli.run("watermarks", stream, "--json").json().path("groups")).isEmpty();
  }

  @Test
  void aJobHasANameAndRanks() {
    Cli.run("group", "start", stream, "t", "--ranks", 0, "--at", 0)
        .isRefused(USAGE, "--ranks is 0; it is at least 1");
    Cli.run("group", "start", stream, "t", "--ranks", 2_000_000_000, "--at", 0)
        .isRefused(USAGE, "--ranks", "at most 1000000");
    Cli.run("group", "start", stream, "t", "--ranks", 1, "--at", -1)
        .isRefused(USAGE, "--at is -1; it is at least 0");
    Cli.run("group", "start", stream, "t")
        .isRefused(USAGE, "--ranks", "--at", "group start --help");
    Cli.run("group", "start", stream, "", "--ranks", 1, "--at", 0).isRefused(USAGE, "group name");
    Cli.run("group", "start", stream, "t@3", "--ranks", 1, "--at", 0)
        .isRefused(USAGE, "'t@3' looks like a start of group 't'");
    Cli.run("group").isRefused(USAGE, "name what to do");
  }

  @Test
  void aReportIsOfARankAtAStepThatIsThere() {
    start("train", 2, 5);
    report(stream, "train", 2, "--step", 6).isRefused(USAGE, "has ranks 0 to 1, not 2");
    report(stream, "train", 0, "--step", 13).isRefused(USAGE, "step 13 is beyond the head");
    report(stream, "train", 0, "--step", 6, "--read", 5).isRefused(USAGE, "not step 6 and 5");
    report(stream, "train", 0, "--step", -6).isRefused(USAGE, "--step is -6; it is at least 0");
    report(stream, "train", 0).isRefused(USAGE, "--step=S");
    trim();
    report(stream, "train", 0, "--step", 4).isRefused(FAILED, "step 4 was reclaimed", "is 5;");
    assertThat(Cli.run("watermarks", stream, "--json").json().findValue("ranks").toString())
        .doesNotContain("\"step\":4");
  }

  @Test
  void aReportOfALeftOverStartIsFenced() {
    start("train", 1, 0);
    start("train", 1, 2);
    start("train", 1, 3);
    report(stream, "train@1", 0, "--step", 6)
        .isRefused(FAILED, "was started again (start 3)", "so start 1 counts no more");
    Cli.run("reclaim", stream).isDone();
    report(stream, "train", 0, "--step", 6, "--start", 1).isRefused(FAILED, "start 3", "start 1");
    report(stream, "train", 0, "--step", 6, "--start", 4)
        .isRefused(FAILED, "has no start 4; its newest is 3");
    report(stream, "train@2", 0, "--step", 6, "--start", 3)
        .isRefused(USAGE, "train@2 is another start than --start 3");
  }

  @Test
  void aGroupThatDoesNotExistIsNamed() {
    report(stream, "train", 0, "--step", 6).isRefused(FAILED, "no group 'train'", "watermarks");
    Cli.run("group", "remove", stream, "train").isRefused(FAILED, "no group 'train'");
    Cli json = Cli.run("group", "remove", stream, "train", "--json");
    assertThat(json.status()).isEqualTo(FAILED);
    assertThat(json.out()).contains("\"removed\" : false");
    start("train", 1, 0);
    Cli.run("group", "remove", stream, "train").isDone();
    report(stream, "train@1", 0, "--step", 6).isRefused(FAILED, "no group 'train'", "removed");
  }

  @Test
  void reclaimTakesOptionsThatGoTogether() {
    Cli.run("reclaim", stream, "--every", 5).isRefused(USAGE, "--every needs --watch");
    Cli.run("reclaim", stream, "--watch", "--every", 0).isRefused(USAGE, "--every is 0");
    Cli.run("reclaim", stream, "--watch", "--dry-run").isRefused(USAGE, "exclude each other");
    Cli.run("reclaim", stream, "--retire-idle", 0).isRefused(USAGE, "--retire-idle is 0");
    Cli.run("reclaim", stream, "--retire-idle", 9, "--keep-idle")
        .isRefused(USAGE, "--retire-idle and --keep-idle exclude each other");
    Cli.run("reclaim", stream, "--keep-versions", 0).isRefused(USAGE, "--keep-versions is 0");
  }

  @Test
  void whatIsNoNamespaceIsAFailure() throws Exception {
    Path none = Files.createDirectory(folder.resolve("none"));
    for (List<Object> args :
        List.<List<Object>>of(
            List.of("reclaim", none),
            List.of("reclaim", none, "--watch"),
            List.of("watermarks", none),
            List.of("pins", none),
            List.of("pin", none, 0),
            List.of("unpin", none, NO_PIN),
            List.of("group", "start", none, "t", "--ranks", 1, "--at", 0),
            List.of("group", "remove", none, "t"))) {
      Cli.run(args.toArray()).isRefused(FAILED, "no namespace", none.toString());
    }
    report(none.toString(), "t", 0, "--step", 0).isRefused(FAILED, "no namespace");
    assertThat(none).isEmptyDirectory();
  }

  @Test
  void aReclaimedStepIsSaidToBeOneWhereverItIsRead() {
    trim();
    String first = "the first step there is now is 8";
    Cli.run("read", stream, "--slice", "0,0").isRefused(FAILED, "step 0 was reclaimed", first);
    Cli.run("cat", stream, 7).isRefused(FAILED, "step 7 was reclaimed", first);
    Cli.run("steps", stream, "--from", 7).isRefused(FAILED, "step 7 was reclaimed", first);
    assertThat(Cli.run("tail", stream, "--json").isDone().out().lines()).hasSize(4);
    Cli.run("read", stream, "--slice", "0,0", "--from-step", 8).isDone();
  }

  @Test
  void aForkIsOfStepsThatAreThereAndAtAFreePlace() throws Exception {
    String fork = folder.resolve("f").toString();
    Cli.run("fork", stream, fork).isRefused(USAGE, "--at");
    Cli.run("fork", stream, fork, "--at", -1).isRefused(USAGE, "--at", "-1");
    Cli.run("fork", stream, fork, "--at", 5, "--from", 6).isRefused(USAGE, "--from", "6");
    Cli.run("fork", stream, fork, "--at", 13).isRefused(USAGE, "step 13 is beyond the head");
    Cli.run("fork", stream, "memory:///f", "--at", 5).isRefused(USAGE, "memory of this process");
    Cli.run("fork", stream, stream, "--at", 5).isRefused(FAILED, "there is a namespace at");
    trim();
    Cli.run("fork", stream, fork, "--at", 5).isRefused(FAILED, "step 5 was reclaimed");
    Cli.run("fork", stream, fork, "--at", 9, "--from", 7).isRefused(FAILED, "step 7 was reclaimed");
    Files.createDirectories(Path.of(fork));
    Files.writeString(Path.of(fork, "notes.txt"), "mine");
    Cli.run("fork", stream, fork, "--at", 9).isRefused(USAGE, "something is, such as notes.txt");
    assertThat(Cli.run("pins", stream, "--json").isDone().out()).doesNotContain("fork");
    assertThat(Path.of(fork)).isDirectoryContaining("glob:**notes.txt");
  }
}
