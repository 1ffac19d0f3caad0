// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.bench.WorkFolder;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each thing that can be wrong has a message of its own, in one line, and its exit status. */
final class BadInputTest {
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  @TempDir Path folder;

  private Path stream(String mesh) {
    Path place = folder.resolve("stream-" + mesh);
    Cli.run("init", place, "--mesh", mesh).isDone();
    return place;
  }

  private Path text(String content) throws IOException {
    return Files.writeString(folder.resolve("text.txt"), content);
  }

  @Test
  void wrongWords() {
    Cli.run().isRefused(USAGE, "name a command");
    Cli.run("infos").isRefused(USAGE, "infos", "lakestream info");
    Cli.run("init", "x").isRefused(USAGE, "--mesh", "lakestream init --help");
    Cli.run("init", "x", "--mesh", "2by2").isRefused(USAGE, "--mesh", "DxC");
    Cli.run("init", "x", "--mesh", "0x2").isRefused(USAGE, "at least one replica");
    Cli.run("read", "x", "--slice", "1").isRefused(USAGE, "--slice", "D,C");
    Cli.run("write", "x", "--producer", "p", "--from", "y", "--share", "2/2")
        .isRefused(USAGE, "--share", "numbered from 0");
    for (String limit : List.of("--max-lag", "--max-lead")) {
      Cli.run("write", "x", "--producer", "p", "--from", "y", limit, 0)
          .isRefused(USAGE, limit + " is 0; it is at least 1");
      Cli.run("write", "x", "--producer", "p", "--from", "y", limit, "far").isRefused(USAGE, limit);
    }
    Cli.run("write", "x", "--producer", "p", "--from", "y", "--policy", "eager")
        .isRefused(USAGE, "--policy", "DAC, NAIVE");
    Cli.run("cat", "x", "1", "--raw").isRefused(USAGE, "--raw needs --slice");
  }

  @Test
  void wrongPlaces() throws IOException {
    Path nothing = folder.resolve("nothing");
    Cli.run("info", "gopher://x/y").isRefused(USAGE, "gopher", "known are: ");
    Cli.run("info", "").isRefused(USAGE, "empty");
    Cli.run("info", nothing).isRefused(FAILED, "no namespace", nothing.toString());
    Cli.run("info", nothing + "?durability=none")
        .isRefused(USAGE, "is a path", "file:///", "?durability=none");
    for (String command : List.of("info", "doctor", "tail")) {
      Cli.run(command, "memory:///x").isRefused(USAGE, "in the memory of this process");
    }
    Cli.run("init", "MEMORY:/x", "--mesh", "1x1").isRefused(USAGE, "gone");
    Cli.run("demo", "--at", "memory:///x").isRefused(USAGE, "gone");
    Cli.run("info", "file:///x?speed=high").isRefused(USAGE, "unknown option 'speed'");
    assertThat(nothing).doesNotExist();
    Cli.run("init", stream("1x1"), "--mesh", "1x1").isRefused(FAILED, "already");
    Path file = text("x");
    Cli.run("init", file.resolve("below"), "--mesh", "1x1").isRefused(FAILED, "is a file");
    Cli.run("info", file).isRefused(FAILED, "is a file");
  }

  @Test
  void aPlaceThatCannotBeWrittenIsRefusedAndDiagnosed() {
    // Not even root can create a file there.
    Cli.run("init", "/proc/lakestream", "--mesh", "1x1").isRefused(FAILED, "/proc/lakestream");
    Cli doctor = Cli.run("doctor", "/proc/lakestream", "--json");
    assertThat(doctor.status()).isEqualTo(FAILED);
    assertThat(doctor.out()).contains("\"sound\" : false", "\"putMillis\" : null");
  }

  @Test
  void aStoreThatIgnoresTheConditionIsRefusedAndDiagnosed() {
    Cli.run("init", "careless:///x", "--mesh", "1x1")
        .isRefused(FAILED, "a key that is taken is not created again");
    Cli doctor = Cli.run("doctor", "careless:///x");
    assertThat(doctor.status()).isEqualTo(FAILED);
    assertThat(doctor.out()).contains("FAILED", "NOT FIT");
  }

  @Test
  void aNamespaceOfANewerFormatIsRefused() throws IOException {
    Path stream = stream("1x1");
    Path record = stream.resolve("namespace.json");
    String newer = Files.readString(record).replace("\"lakestream\" : 1", "\"lakestream\" : 2");
    Path unused = Files.writeString(record, newer);
    Cli.run("info", stream).isRefused(FAILED, "upgrade");
    Path damaged = Files.writeString(record, "{");
    Cli.run("info", stream).isRefused(FAILED, String.valueOf(damaged.getFileName()), "corrupt");
  }

  @Test
  void ranksThatDoNotFit() {
    Path stream = stream("2x2");
    Cli.run("read", stream).isRefused(USAGE, "2x2", "--slice");
    Cli.run("read", stream, "--slice", "2,0").isRefused(USAGE, "(2,0)", "2x2");
    Cli.run("read", stream, "--slice", "0,0", "--rank", "1").isRefused(USAGE, "--slice");
    Cli.run("read", stream, "--rank", "1").isRefused(USAGE, "--world-size is not");
    Cli.run("read", stream, "--world-size", "4").isRefused(USAGE, "--rank is not");
    Cli.run("read", stream, "--rank", "4", "--world-size", "4", "--cp", "2", "--tp", "1", "--pp", 1)
        .isRefused(USAGE, "rank 4 lies outside");
    Cli.run("read", stream, "--rank", "1", "--world-size", "5", "--cp", "2", "--tp", "1", "--pp", 1)
        .isRefused(USAGE, "cannot be divided");
    Cli.run("read", stream, "--rank", "1", "--world-size", "4", "--tp", "1")
        .isRefused(USAGE, "--cp, --pp", "LAKESTREAM_CP, LAKESTREAM_PP");
    Cli.run(Map.of("SLURM_PROCID", "0", "SLURM_NTASKS", "12"), "read", stream)
        .isRefused(USAGE, "12 ranks", "--cp, --pp, --tp", "LAKESTREAM_CP");
    Cli.run("read", stream, "--rank", "0", "--world-size", "-4")
        .isRefused(USAGE, "--world-size is -4; it is at least 1");
    Cli.run("read", stream, "--slice", "0,0", "--cp", "5", "--tp", "3", "--rank-order", "x")
        .isRefused(USAGE, "leave out --cp, --tp, --rank-order, or --slice");
    Cli.run(Map.of("RANK", "1"), "read", stream).isRefused(USAGE, "RANK", "WORLD_SIZE");
    Map<String, String> wrong = Map.of("RANK", "one", "WORLD_SIZE", "4");
    Cli.run(wrong, "read", stream, "--cp", "1", "--tp", "1", "--pp", "1")
        .isRefused(USAGE, "RANK is 'one'");
    Cli.run(
            Map.of("RANK", "0", "WORLD_SIZE", "4"),
            "read",
            stream,
            "--cp",
            "1",
            "--tp",
            "1",
            "--pp",
            "1")
        .isRefused(USAGE, "2x2", "4x1");
  }

  @Test
  void theEnvironmentOfALauncherNamesTheSlice() throws Exception {
    String stream = Streams.sealed(folder.resolve("s"), 3);
    Map<String, String> environment =
        Map.of(
            "SLURM_PROCID", "1",
            "SLURM_NTASKS", "2",
            "LAKESTREAM_CP", "1",
            "LAKESTREAM_TP", "2",
            "LAKESTREAM_PP", "1");
    assertThat(Cli.run(environment, "read", stream).isDone().out()).contains("slice (0,0) of 1x1");
  }

  @Test
  void cursorsThatDoNotFit() throws Exception {
    String stream = Streams.sealed(folder.resolve("s"), 3);
    String other = Streams.sealed(folder.resolve("o"), 3);
    Path state = folder.resolve("state");
    List<Object> read = List.of("read", stream, "--slice", "0,0", "--state", state);

    Cli.run("read", other, "--slice", "0,0", "--state", state).isDone();
    Cli.run(read.toArray()).isRefused(USAGE, "another run");
    Path unused = Files.writeString(state, "step 3");
    Cli.run(read.toArray()).isRefused(USAGE, state.toString(), "no cursor");
    unused = Files.writeString(state, "");
    Cli.run(read.toArray()).isRefused(USAGE, state.toString(), "no cursor");
    Cli.run("read", stream, "--slice", "0,0", "--from-step", "4")
        .isRefused(USAGE, "beyond the end");
    unused = Files.write(state, new byte[] {'{', (byte) 0x80, 0});
    Cli.run(read.toArray()).isRefused(USAGE, state.toString(), "no text", "--state");
    unused = Files.writeString(state, "{\"lakestream\":2}");
    Cli.run(read.toArray()).isRefused(USAGE, state.toString(), "upgrade");
    Cli.run("read", stream, "--slice", "0,0", "--state", folder).isRefused(USAGE, "is a folder");
    Cli.run("read", stream, "--slice", "0,0", "--state", folder + "/none/state")
        .isRefused(USAGE, "folder does not exist");
    Cli.run("read", stream, "--slice", "0,0", "--from-step", "-1").isRefused(USAGE, "--from-step");
    Cli.run("read", stream, "--slice", "0,0", "--from-step", "3").isDone();
    Cli.run("cat", stream, "3").isRefused(USAGE, "no step 3");
  }

  @Test
  void eventsOfAnotherReaderAreNotTouched() throws Exception {
    String stream = Streams.sealed(folder.resolve("s"), 5);
    Path events = folder.resolve("events");
    Path state = folder.resolve("state");
    Cli.run("read", stream, "--slice", "0,0", "--limit", "2", "--events", events).isDone();
    Cli.run("read", stream, "--slice", "0,0", "--limit", "4", "--state", state).isDone();
    String before = Files.readString(events);
    Cli.run("read", stream, "--slice", "0,0", "--state", state, "--events", events)
        .isRefused(USAGE, "ends at step 1", "goes on at step 4");
    Path notes = Files.writeString(folder.resolve("notes"), "dear diary\n");
    Cli.run("read", stream, "--slice", "0,0", "--events", notes)
        .isRefused(USAGE, "no file of events", "dear diary");
    assertThat(notes).hasContent("dear diary\n");
    assertThat(before).isNotEmpty();
  }

  @Test
  void noFileButOneOfEventsIsCutOff() throws Exception {
    String stream = Streams.sealed(folder.resolve("s"), 5);
    Path file = folder.resolve("data.jsonl");
    for (String content :
        List.of("{\"text\":\"a\"}\n", "no end of line", "{\"text\":", "\u0007\n")) {
      Files.writeString(file, content);
      Cli.run("read", stream, "--slice", "0,0", "--events", file)
          .isRefused(USAGE, "no file of events");
      assertThat(file).hasContent(content);
    }
    Files.writeString(file, "{\"st");
    Cli.run("read", stream, "--slice", "0,0", "--events", file).isDone();
    Cli.run("read", stream, "--slice", "0,0", "--events", folder).isRefused(USAGE, "is a folder");
    Cli.run("read", stream, "--slice", "0,0", "--events", folder + "/none/events")
        .isRefused(USAGE, "folder does not exist");
  }

  @Test
  void troubleWithFilesComesWithAdvice() throws IOException {
    Path file = text("x");
    Cli.run("bench", "io", "--at", file).isRefused(USAGE, "is a file; name a folder");
    Cli.run("bench", "io", "--at", file.resolve("below")).isRefused(FAILED, "parents are folders");
    // Not even root can create a file there.
    Cli.run("bench", "io", "--at", "/proc/lakestream")
        .isRefused(FAILED, "/proc", "correct the path");
    assertThat(FileTrouble.explain(new AccessDeniedException("/x"))).contains("owner or mode");
    assertThat(FileTrouble.explain(new IOException("/x (Permission denied)"))).contains("mode");
    assertThat(FileTrouble.explain(new FileSystemException("/x", null, "Odd"))).isEqualTo("Odd");
  }

  @Test
  void aStreamThatACrashMayDamageIsCalledSo() throws IOException {
    String note = "lakestream: durability none: a crash of the machine may lose";
    String loose = Streams.uri(folder.resolve("loose"));
    Path text = text("some text");
    List<List<Object>> commands =
        List.of(
            List.of("init", loose, "--mesh", "1x1"),
            List.of("write", loose, "--producer", "p", "--from", text),
            List.of("info", loose),
            List.of("doctor", loose));
    for (List<Object> command : commands) {
      assertThat(Cli.run(command.toArray()).isDone().err()).containsOnlyOnce(note);
    }
    Cli.run("init", folder.resolve("firm"), "--mesh", "1x1").isDone();
    assertThat(Cli.run("info", folder.resolve("firm")).isDone().err()).isEmpty();
  }

  @Test
  void textThatCannotBePacked() throws IOException {
    Path stream = stream("1x1");
    List<Object> write =
        List.of("write", stream, "--producer", "p", "--from", folder + "/text.txt");
    Cli.run(write.toArray()).isRefused(USAGE, "there is no file");
    Path unused = text("");
    Cli.run(write.toArray()).isRefused(FAILED, "holds no text");
    unused = Files.write(folder.resolve("text.txt"), new byte[] {'a', 'b', (byte) 0xff, 'c'});
    Cli.run(write.toArray()).isRefused(FAILED, "text.txt", "UTF-8");
    unused = text("fine");
    Cli.run("write", stream, "--producer", "p", "--from", folder + "/text.txt", "--encoding", "x")
        .isRefused(USAGE, "no tokenizer 'x'");
    Cli.run(
            "write",
            stream,
            "--producer",
            "p",
            "--from",
            folder + "/text.txt",
            "--sequence-length",
            "7")
        .isRefused(USAGE, "--sequence-length 7", "use a multiple of 2, such as 8");
    Cli.run("write", stream, "--producer", "", "--from", folder + "/text.txt")
        .isRefused(USAGE, "id");
  }

  @Test
  void shapesThatCannotBeAreRefusedByTheNamesOfOptions() throws IOException {
    Path stream = stream("1x1");
    Path text = text("fine");
    Object[] write = {"write", stream, "--producer", "p", "--from", text, "", ""};
    List<String> options = List.of("--sequence-length", "--rows", "--blocks-per-rank");
    for (String option : options) {
      for (String value : List.of("-1", "0", "2147483647")) {
        write[6] = option;
        write[7] = value;
        Cli refused = Cli.run(write);
        refused.isRefused(USAGE, option + " " + value);
        assertThat(refused.err()).doesNotContain("rowsPerReplica", "sequenceLength", "2147483648");
        Cli.run("demo", "--from", text, option, value).isRefused(USAGE, option + " " + value);
      }
    }
  }

  @Test
  void badContentHasOneExitStatusWhereverItIs() throws IOException {
    Path stream = stream("1x1");
    Path lines = folder.resolve("lines.jsonl");
    Object[] write = {"write", stream, "--producer", "p", "--from", lines};
    Object[] demo = {"demo", "--from", lines, "--kills", 0};
    for (String content : List.of("no JSON\n", "{\"text\":\"fine\"}\nno JSON\n")) {
      Path unused = Files.writeString(lines, content);
      Cli.run(write).isRefused(FAILED, "is not valid JSON");
      Cli.run(demo).isRefused(FAILED, "is not valid JSON");
    }
    Files.delete(lines);
    Cli.run(write).isRefused(USAGE, "there is no file");
    Cli.run(demo).isRefused(USAGE, "there is no file");
    Path zip = Files.writeString(folder.resolve("a.zip"), "no zip");
    Cli.run("write", stream, "--producer", "p", "--from", zip)
        .isRefused(FAILED, "not a readable zip file");
  }

  @Test
  void whatCameBeforeADamagedTextIsPublished() throws IOException {
    Path stream = stream("1x1");
    Path text = folder.resolve("texts");
    Texts.write(text, 20);
    Path unused = Files.write(text.resolve("9999.txt"), new byte[] {(byte) 0xff});
    Cli.run("write", stream, "--producer", "p", "--from", text, "--sequence-length", "16")
        .isRefused(FAILED, "9999.txt", "UTF-8");
    assertThat(Cli.run("producers", stream).isDone().out()).contains("retired");
    assertThat(Cli.run("info", stream, "--json").json().path("nextStep").asLong()).isPositive();
  }

  @Test
  void whatCannotBePublishedDoesNotHideWhyWritingEnded() throws IOException {
    Path text = folder.resolve("texts");
    Texts.write(text, 20);
    Path bad = Files.write(text.resolve("9999.txt"), new byte[] {(byte) 0xff});
    // One batch comes before the bad text, and its event cannot be written.
    List<Object> write = new ArrayList<>(List.of("write", stream("1x1"), "--producer", "p"));
    write.addAll(List.of("--from", text, "--sequence-length", 512, "--rows", 1));
    write.addAll(List.of("--events", "/dev/full", "--verbose"));
    Cli written = Cli.run(write.toArray());
    assertThat(written.status()).isEqualTo(FAILED);
    assertThat(written.err())
        .startsWith("lakestream: " + bad)
        .contains("Suppressed: ", "cannot write the events file /dev/full");
  }

  @Test
  void aStateThatCannotBeWrittenDoesNotHideWhyReadingEnded() throws IOException {
    Path stream = stream("1x1");
    Cli.run("write", stream, "--producer", "p", "--from", text("some text"), "--seal").isDone();
    WorkFolder.delete(stream.resolve("data"));
    Path unused = Files.createDirectory(folder.resolve("state.tmp"));
    Cli.run("read", stream, "--slice", "0,0", "--state", folder.resolve("state"))
        .isRefused(FAILED, "is missing", "restore it");
  }

  @Test
  void anotherInputThanBeforeIsNoticedWhereTheOffsetIsPastItsEnd() throws IOException {
    Path stream = stream("1x1");
    Path text = text("some text that ends");
    Cli.run("write", stream, "--producer", "p", "--from", text).isDone();
    Cli.run("write", stream, "--producer", "p", "--from", text).isDone();
    Cli.run("write", stream, "--producer", "p", "--from", text, "--share", "1/2")
        .isRefused(USAGE, "cannot go on", "1:0");
  }

  @Test
  void aProducerGoesOnOnlyWithTheSettingsAndTheInputOfBefore() throws IOException {
    Path stream = stream("1x1");
    Path text = folder.resolve("texts");
    Texts.write(text, 20);
    Cli.run(smallBatches(stream, text, "--limit", "3")).isDone();
    List<String> changes =
        List.of(
            "--encoding=p50k_base",
            "--blocks-per-rank=4",
            "--cp-layout=zigzag",
            "--share=0/2",
            "--field=content");
    for (String change : changes) {
      Cli.run(smallBatches(stream, text, change))
          .isRefused(USAGE, "producer 'p' cannot go on", "another producer id", "--encoding");
    }
    Texts.write(text, 30);
    Cli.run(smallBatches(stream, text, "--limit", "1")).isDone();
    Path unused = Files.writeString(text.resolve("0000"), "new, and before all others");
    Cli.run(smallBatches(stream, text)).isRefused(USAGE, "cannot go on", "another input");
    assertThat(Cli.run("info", stream, "--json").json().path("nextStep").asLong()).isEqualTo(4);
  }

  private static Object[] smallBatches(Path stream, Path text, Object... more) {
    List<Object> args =
        new ArrayList<>(List.of("write", stream, "--producer", "p", "--from", text));
    args.addAll(List.of("--sequence-length", "16", "--rows", "1"));
    args.addAll(List.of(more));
    return args.toArray();
  }

  @Test
  void aProducerWhoseIdIsTakenOverIsFenced() throws Exception {
    Path stream = stream("1x1");
    Path text = folder.resolve("texts");
    Texts.write(text, 400);
    Object[] slowly = smallBatches(stream, text, "--pace", "20", "--policy", "naive");
    CompletableFuture<Cli> first = CompletableFuture.supplyAsync(() -> Cli.run(slowly));
    while (Cli.run("info", stream, "--json").json().path("nextStep").asLong() < 3) {
      Thread.sleep(20);
    }
    Cli.run(smallBatches(stream, text, "--limit", "1")).isDone();
    first.get().isRefused(FAILED, "'p'", "taken over");
  }

  @Test
  void aSealedStreamTakesNoMoreAndAnActiveProducerPreventsSealing() throws Exception {
    Path stream = stream("1x1");
    Path text = text("some text");
    try (var open = io.lakestream.Lakestream.open(stream.toString());
        var producer = open.producer("other")) {
      assertThat(producer.id()).isEqualTo("other");
      Cli.run("seal", stream).isRefused(FAILED, "producers are active (1: ", "--force");
      Cli.run("write", stream, "--producer", "p", "--from", text, "--seal")
          .isRefused(FAILED, "everything was published", "other");
    }
    Cli.run("seal", stream).isDone();
    Cli.run("write", stream, "--producer", "p", "--from", text).isRefused(FAILED, "sealed");
    assertThat(Cli.run("info", stream, "--json").json().path("nextStep").asLong()).isEqualTo(1);
  }

  @Test
  void aFailureShowsItsStackTraceOnlyIfAskedFor() {
    Path nothing = folder.resolve("nothing");
    Cli.run("info", nothing).isRefused(FAILED, "no namespace");
    Cli verbose = Cli.run("info", nothing, "--verbose");
    assertThat(verbose.err()).contains("no namespace", "\tat io.lakestream.");
    assertThat(Cli.run("--verbose", "info", nothing).err()).contains("\tat io.lakestream.");
  }

  @Test
  void aSoakThatCannotBeIsRefused() {
    Cli.run("soak", "--for", "10").isRefused(USAGE, "--for", "90s, 10m or 2h, not '10'");
    Cli.run("soak", "--for", "0s").isRefused(USAGE, "from a second to two hours");
    Cli.run("soak", "--for", "7201s").isRefused(USAGE, "from a second to two hours", "memory");
    Cli.run("soak", "--producers", 0).isRefused(USAGE, "at least one of each");
    Cli.run("soak", "--jobs", 70).isRefused(USAGE, "290 processes", "at most 256");
  }
}
