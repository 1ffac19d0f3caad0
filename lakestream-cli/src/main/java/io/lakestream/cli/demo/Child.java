// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import io.lakestream.model.Cursor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A producer or a rank of the demo: a process that may be killed and started again, any number of
 * times. Each of its lives tells what it does in a file of its own, so that nothing of an earlier
 * one is lost. For use by one thread.
 */
final class Child {
  /** The last lines of a child's output that say why it failed. */
  private static final int LAST_LINES = 5;

  private final Role role;
  private final Path folder;
  private final List<Life> lives = new ArrayList<>();
  private @Nullable Process process;

  /** What a child is for. */
  enum Kind {
    PRODUCER("seq"),
    RANK("step");

    private final String counter;

    Kind(String counter) {
      this.counter = counter;
    }
  }

  /**
   * What a child does.
   *
   * @param kind producer or rank
   * @param name what the demo calls it, which also names its files
   * @param arguments of its command, all but {@code --events}
   * @param total how many batches or steps it has to do
   * @param state the file in which it saves its cursor, if it is a rank
   */
  record Role(Kind kind, String name, List<String> arguments, long total, Optional<Path> state) {
    Role {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * From a start to the end or a kill.
   *
   * @param events where it tells what it does
   * @param start the cursor that was saved when it started
   */
  record Life(Path events, Optional<Cursor> start) {}

  /** A child that is not started yet and keeps its files in {@code folder}. */
  Child(Role role, Path folder) {
    this.role = role;
    this.folder = folder;
  }

  Kind kind() {
    return role.kind();
  }

  String name() {
    return role.name();
  }

  /** How many batches or steps it has to do. */
  long total() {
    return role.total();
  }

  /** Its lives so far. */
  List<Life> lives() {
    return List.copyOf(lives);
  }

  /** Starts it, for the first time or again. */
  void start() throws IOException {
    Path events = folder.resolve("%s.%d.jsonl".formatted(name(), lives.size()));
    lives.add(new Life(events, savedCursor()));
    List<String> arguments = new ArrayList<>(role.arguments());
    arguments.add("--events");
    arguments.add(events.toString());
    process =
        new ProcessBuilder(Launcher.command(arguments))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
            .start();
  }

  private Optional<Cursor> savedCursor() throws IOException {
    return role.state().isPresent() && Files.exists(role.state().get())
        ? Optional.of(Cursor.parse(Files.readString(role.state().get())))
        : Optional.empty();
  }

  private Path log() {
    return folder.resolve(name() + ".log");
  }

  /** How many of its batches or steps it told to be done, over all its lives. */
  long progress() {
    for (int i = lives.size() - 1; i >= 0; i--) {
      OptionalLong last = Events.last(lives.get(i).events(), kind().counter);
      if (last.isPresent()) {
        return last.getAsLong() + 1;
      }
    }
    return 0;
  }

  /** Whether it is in the midst of its work: it has done some since it was started, not all. */
  boolean isMidway() {
    return process != null
        && process.isAlive()
        && Events.last(lives.get(lives.size() - 1).events(), kind().counter).isPresent()
        && progress() < total();
  }

  /** Whether it came to its end by itself and in good order. */
  boolean hasFinished() {
    return process != null && !process.isAlive() && process.exitValue() == 0;
  }

  /** Whether it ended by itself, but not in good order. */
  boolean hasFailed() {
    return process != null && !process.isAlive() && process.exitValue() != 0;
  }

  /** Sends it SIGKILL if it still runs, without waiting. */
  void kill() {
    if (process != null) {
      var unused = process.destroyForcibly();
    }
  }

  /** Waits until its process is gone. */
  void join() throws InterruptedException {
    if (process != null) {
      int unused = process.waitFor();
    }
  }

  /** Exit status and last output of a child that failed. */
  String lastWords() throws IOException {
    int status = process == null ? 0 : process.exitValue();
    List<String> lines = Files.exists(log()) ? Files.readAllLines(log()) : List.of();
    List<String> last = lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
    return "%s ended with status %d: %s".formatted(name(), status, String.join(" | ", last));
  }
}
