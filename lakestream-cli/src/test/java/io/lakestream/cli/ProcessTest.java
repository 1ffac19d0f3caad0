// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.model.Mesh;
import io.lakestream.model.Tgb;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What takes a real process: Ctrl-C, a closed output, a full disk. */
final class ProcessTest {
  private static final int TERMINATED = 143;
  private static final String SLOWLY = "20";

  @TempDir Path folder;

  private Path stream() {
    Path stream = folder.resolve("stream");
    Cli.run("init", stream, "--mesh", "1x1").isDone();
    return stream;
  }

  private Object[] write(Path stream, Object... more) throws IOException {
    Path text = folder.resolve("text");
    if (Files.notExists(text)) {
      Texts.write(text, 300);
    }
    List<Object> args =
        new ArrayList<>(List.of("write", stream, "--producer", "p", "--from", text));
    args.addAll(List.of("--sequence-length", "16", "--rows", "2", "--policy", "naive"));
    args.addAll(List.of(more));
    return args.toArray();
  }

  private static void await(Callable<Boolean> until) throws Exception {
    while (!until.call()) {
      Thread.sleep(20);
    }
  }

  private static long lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file).size() : 0;
  }

  @Test
  void anInterruptedWriterPublishesWhatIsOnItsWayAndIsResumed() throws Exception {
    Path stream = stream();
    Path events = folder.resolve("events");
    try (Child writer = Child.start(folder, write(stream, "--pace", SLOWLY, "--events", events))) {
      await(() -> lines(events) > 5);
      assertThat(writer.interrupt().status()).isEqualTo(RunningCommand.INTERRUPTED);
      assertThat(writer.err()).contains("are published").doesNotContain("\tat ");
    }
    JsonNode producer = Cli.run("producers", stream, "--json").json().get(0);
    assertThat(producer.path("active").asBoolean(true)).isFalse();
    assertThat(producer.path("tgbs").asLong()).isEqualTo(lines(events));

    Cli.run(write(stream, "--seal")).isDone();

    Path undisturbed = folder.resolve("undisturbed");
    Cli.run("init", undisturbed, "--mesh", "1x1").isDone();
    Cli.run(write(undisturbed, "--seal")).isDone();
    assertThat(payloads(stream)).isEqualTo(payloads(undisturbed)).isNotEmpty();
  }

  private List<String> payloads(Path stream) throws IOException {
    Path events = Files.createTempFile(folder, "read", ".jsonl");
    Cli.run("read", stream, "--slice", "0,0", "--events", events).isDone();
    return Texts.events(events).stream().map(event -> event.path("sha256").asText()).toList();
  }

  @Test
  void aKilledWriterLosesNothingThatItPublished() throws Exception {
    Path stream = stream();
    Path events = folder.resolve("events");
    try (Child writer = Child.start(folder, write(stream, "--pace", SLOWLY, "--events", events))) {
      await(() -> lines(events) > 5);
      writer.process().destroyForcibly();
      assertThat(writer.status()).isNotZero();
    }
    Cli.run(write(stream, "--seal", "--events", events)).isDone();
    JsonNode steps = Cli.run("steps", stream, "--json", "--limit", "10000").json();
    for (int i = 0; i < steps.size(); i++) {
      assertThat(steps.get(i).path("seq").asLong()).isEqualTo(i);
    }
  }

  @Test
  void aKilledProcessLeavesNothingInTheTemporaryFolder() throws Exception {
    Path stream = stream();
    Cli.run(write(stream, "--limit", "1")).isDone();
    try (Child tail = Child.start(folder, "tail", stream, "-f");
        BufferedReader out = tail.process().inputReader()) {
      assertThat(out.readLine()).startsWith("step");
      tail.process().destroyForcibly();
      assertThat(tail.status()).isNotZero();
    }
    assertThat(folder.resolve(Child.TEMP)).isEmptyDirectory();
  }

  @Test
  void anInterruptedReaderWritesItsStateAndIsResumed() throws Exception {
    Path stream = stream();
    Cli.run(write(stream)).isDone();
    Path events = folder.resolve("read.jsonl");
    Path state = folder.resolve("state");
    List<Object> args = new ArrayList<>(List.of("read", stream, "--slice", "0,0", "--json"));
    args.addAll(List.of("--state", state, "--events", events, "--checkpoint-every", "1000000"));
    Object[] read = args.toArray();
    long steps = Cli.run("info", stream, "--json").json().path("nextStep").asLong();
    try (Child reader = Child.start(folder, read)) {
      await(() -> lines(events) == steps);
      assertThat(reader.interrupt().status()).isEqualTo(RunningCommand.INTERRUPTED);
      assertThat(reader.err()).contains("goes on from there").doesNotContain("\tat ");
    }
    Cli.run("seal", stream).isDone();
    JsonNode summary = Cli.run(read).json();
    assertThat(summary.path("steps").asLong()).isEqualTo(steps);
    assertThat(summary.path("store").path("readRange").path("requests").asLong())
        .isLessThan(steps / 2);
    JsonNode whole = Cli.run("read", stream, "--slice", "0,0", "--json").json();
    assertThat(summary.path("descriptorsSha256")).isEqualTo(whole.path("descriptorsSha256"));
  }

  @Test
  void anInterruptedTailEnds() throws Exception {
    Path stream = stream();
    Cli.run(write(stream, "--limit", "3")).isDone();
    try (Child tail = Child.start(folder, "tail", stream, "-f", "--json");
        BufferedReader out = tail.process().inputReader()) {
      for (int i = 0; i < 3; i++) {
        assertThat(Json.parse(String.valueOf(out.readLine())).path("step").asLong()).isEqualTo(i);
      }
      assertThat(tail.interrupt().status()).isEqualTo(RunningCommand.INTERRUPTED);
      assertThat(tail.err()).isEmpty();
      assertThat(out.readLine()).isNull();
    }
  }

  @Test
  void aTerminatedTailEndsToo() throws Exception {
    Path stream = stream();
    Cli.run(write(stream, "--limit", "1")).isDone();
    try (Child tail = Child.start(folder, "tail", stream, "-f");
        BufferedReader out = tail.process().inputReader()) {
      assertThat(out.readLine()).startsWith("step");
      tail.process().destroy();
      assertThat(tail.status()).isEqualTo(TERMINATED);
    }
  }

  @Test
  void anInterruptedInitLeavesANamespaceOrNone() throws Exception {
    for (int i = 0; i < 5; i++) {
      Path place = folder.resolve("init-" + i);
      try (Child init = Child.start(folder, "init", place, "--mesh", "1x1")) {
        // Anywhere from before the JVM hears signals to after the end: each has the same outcome.
        Thread.sleep(i * 100L);
        assertThat(init.interrupt().status()).isIn(0, RunningCommand.INTERRUPTED);
        assertThat(init.err()).doesNotContain("\tat ");
      }
      assertThat(Cli.run("init", place, "--mesh", "1x1").status()).isIn(0, 1);
      Cli.run("info", place).isDone();
    }
  }

  /** Libraries put files there too. */
  private static void awaitDemo(Path temp) throws Exception {
    await(
        () ->
            Stream.of(temp.toFile().list()).anyMatch(name -> name.startsWith("lakestream-demo-")));
  }

  @Test
  void anInterruptedDemoSaysSoAndLeavesNothing() throws Exception {
    Path text = folder.resolve("text");
    Texts.write(text, 300);
    Path temp = Files.createDirectories(folder.resolve(Child.TEMP));
    for (int i = 0; i < 3; i++) {
      try (Child demo = Child.start(folder, "demo", "--from", text, "--sequence-length", 16)) {
        awaitDemo(temp);
        // From the probe of the store to processes that run.
        Thread.sleep(i * 200L);
        assertThat(demo.interrupt().status()).isEqualTo(RunningCommand.INTERRUPTED);
        assertThat(demo.err()).isEqualTo("lakestream: interrupted\n");
      }
      assertThat(temp).isEmptyDirectory();
    }
  }

  @Test
  void aDemoThatIsHeldUpWhileItEndsLeavesNothingEither() throws Exception {
    Path text = folder.resolve("text");
    Texts.write(text, 300);
    Path temp = Files.createDirectories(folder.resolve(Child.TEMP));
    try (Child demo = Child.start(folder, "demo", "--from", text, "--sequence-length", 16)) {
      awaitDemo(temp);
      demo.interrupt().signal("STOP");
      // As long as a command gets that has nothing to tidy up, and more.
      Thread.sleep(1_500);
      demo.signal("CONT");
      assertThat(demo.status()).isEqualTo(RunningCommand.INTERRUPTED);
      assertThat(demo.err()).isEqualTo("lakestream: interrupted\n");
    }
    assertThat(temp).isEmptyDirectory();
  }

  private Child startSoak() throws IOException {
    return Child.start(
        folder, "soak", "--producers", 2, "--jobs", 1, "--mesh", "1x1", "--reclaimers", 1);
  }

  private static boolean isStopped(ProcessHandle process) {
    try {
      Process ps =
          new ProcessBuilder("ps", "-o", "state=", "-p", Long.toString(process.pid())).start();
      return new String(ps.getInputStream().readAllBytes(), UTF_8).startsWith("T");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitSleeper(Child soak) throws Exception {
    await(() -> soak.process().descendants().anyMatch(ProcessTest::isStopped));
  }

  @Test
  void anInterruptedSoakLeavesNothingThoughSomeOfItsProcessesAreStopped() throws Exception {
    try (Child soak = startSoak()) {
      awaitSleeper(soak);
      List<ProcessHandle> children = soak.process().descendants().toList();
      assertThat(soak.interrupt().status()).isEqualTo(RunningCommand.INTERRUPTED);
      assertThat(soak.err()).startsWith("seed ").endsWith("lakestream: interrupted\n");
      assertThat(children).noneMatch(ProcessHandle::isAlive);
    }
    assertThat(folder.resolve(Child.TEMP)).isEmptyDirectory();
  }

  @Test
  void theProcessesOfASoakEndWithItAlsoIfTheyAreStopped() throws Exception {
    try (Child soak = startSoak()) {
      awaitSleeper(soak);
      List<ProcessHandle> children = soak.process().descendants().toList();
      soak.signal("KILL");
      await(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    }
  }

  /** A stream of one batch that is larger than any pipe's buffer. */
  private Path large() throws Exception {
    Path place = folder.resolve("large");
    Mesh mesh = new Mesh(1, 1);
    try (Namespace stream = Lakestream.create(place.toString(), mesh);
        Producer producer = stream.producer("p")) {
      ByteBuffer bytes = ByteBuffer.allocate(16 << 20);
      producer.write(Tgb.raw(mesh).slice(0, 0, bytes).build(), "1");
    }
    return place;
  }

  @Test
  void aShortCommandThatIsStuckInItsOutputIsInterrupted() throws Exception {
    try (Child cat = Child.start(folder, "cat", large(), "0", "--slice", "0,0", "--raw")) {
      await(() -> cat.process().getInputStream().available() > 0);
      assertThat(cat.interrupt().status()).isEqualTo(RunningCommand.INTERRUPTED);
      assertThat(cat.err()).isEmpty();
    }
  }

  @Test
  void aSecondSignalEndsAProcessThatTheFirstOneLetsDrain() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path stream = stream();
    // Opening a pipe that nobody reads hangs, in a way that no Java thread can be woken from.
    try (Child writer = Child.start(folder, write(stream, "--events", pipe))) {
      await(() -> hasThread(writer.process(), "wchan", "wait_for_partner"));
      writer.interrupt();
      await(() -> hasThread(writer.process(), "comm", "lakestream-stop"));
      writer.process().destroy();
      // The end that the first signal waits for would have the first one's status.
      assertThat(writer.status()).isEqualTo(TERMINATED);
    }
  }

  /**
   * Whether a thread has this text in a file of its own; Linux shows names, and what they await.
   */
  private static boolean hasThread(Process process, String file, String text) throws IOException {
    assertThat(process.isAlive()).isTrue();
    Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
    assumeThat(tasks).exists();
    try (var threads = Files.list(tasks)) {
      return threads.map(thread -> thread.resolve(file)).anyMatch(path -> holds(path, text));
    }
  }

  private static boolean holds(Path file, String text) {
    try {
      return Files.readString(file).contains(text);
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aReaderOfTheOutputMayGoAway() throws Exception {
    try (Child cat = Child.start(folder, "cat", large(), "0", "--slice", "0,0", "--raw")) {
      try (InputStream out = cat.process().getInputStream()) {
        assertThat(out.read()).isZero();
      }
      assertThat(cat.status()).isZero();
      assertThat(cat.err()).isEmpty();
    }
  }

  @Test
  void anOutputThatIsFullIsAFailure() throws Exception {
    Path stream = stream();
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "info",
            stream.toString());
    assumeThat(new File("/dev/full")).exists();
    Process info =
        builder.redirectOutput(new File("/dev/full")).redirectError(err.toFile()).start();
    assertThat(info.waitFor()).isEqualTo(1);
    assertThat(err).content().contains("standard output", "No space left").hasLineCount(1);
  }

  @Test
  void aDiskThatFillsUpFailsTheWriterWhichGoesOnWhenThereIsRoom() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    Process mount =
        new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=512k", "none", disk.toString())
            .start();
    assumeThat(mount.waitFor()).as("may mount").isZero();
    try {
      Path stream = disk.resolve("stream");
      Cli.run("init", stream, "--mesh", "1x1").isDone();
      Cli.run(write(stream)).isRefused(1, "disk is full");
      assertThat(
              new ProcessBuilder("mount", "-o", "remount,size=64m", disk.toString())
                  .start()
                  .waitFor())
          .isZero();
      Cli.run(write(stream, "--seal")).isDone();
      Path undisturbed = folder.resolve("undisturbed");
      Cli.run("init", undisturbed, "--mesh", "1x1").isDone();
      Cli.run(write(undisturbed, "--seal")).isDone();
      assertThat(payloads(stream)).isEqualTo(payloads(undisturbed));
    } finally {
      assertThat(new ProcessBuilder("umount", disk.toString()).start().waitFor()).isZero();
    }
  }
}
