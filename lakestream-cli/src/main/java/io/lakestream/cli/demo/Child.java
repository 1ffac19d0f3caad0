// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import io.lakestream.cli.process.ChildProcess;
import io.lakestream.cli.process.Events;
import io.lakestream.cli.process.Launcher;
import io.lakestream.cli.process.Stage;
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
  /** Enough for the vocabulary and some batches. */
  private static final int HEAP_MEGABYTES = 512;

  private final Role role;
  private final Stage stage;
  private final Path folder;
  private final List<Life> lives = new ArrayList<>();
  private @Nullable ChildProcess process;

  /** What a child is for. */
  enum Kind {
    PRODUCER("seq"),
    RANK("step");

    private final String counter;

    Kind(String counter) {
      this.counter = counter;
    }

    /** Those of this kind. */
    List<Child> of(List<Child> children) {
      return children.stream().filter(child -> child.kind() == this).toList();
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
  Child(Role role, Stage stage, Path folder) {
    this.role = role;
    this.stage = stage;
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
        stage.start(
            name(), folder.resolve(name() + ".log"), Launcher.command(HEAP_MEGABYTES, arguments));
  }

  private Optional<Cursor> savedCursor() throws IOException {
    return role.state().isPresent() && Files.exists(role.state().get())
        ? Optional.of(Cursor.parse(Files.readString(role.state().get())))
        : Optional.empty();
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
    return process != null && process.hasFinished();
  }

  /** Whether it ended by itself, but not in good order. */
  boolean hasFailed() {
    return process != null && process.hasFailed();
  }

  /** Sends it SIGKILL if it still runs, without waiting. */
  void kill() {
    if (process != null) {
      process.kill();
    }
  }

  /** Waits until its process is gone. */
  void join() throws InterruptedException {
    if (process != null) {
      process.join();
    }
  }

  /** Exit status and last output of a child that failed. */
  String lastWords() throws IOException {
    return process == null ? name() + " was not started" : process.lastWords();
  }
}
