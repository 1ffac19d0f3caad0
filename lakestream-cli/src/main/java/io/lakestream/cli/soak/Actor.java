// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.cli.process.ChildProcess;
import io.lakestream.cli.process.Launcher;
import io.lakestream.cli.process.Stage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A producer, a rank or a reclaimer over all its lives. Several of them may run at a time: one that
 * sleeps does not know that another has taken its place.
 */
final class Actor {
  /** Enough for small batches, so that many find room. */
  private static final int HEAP_MEGABYTES = 96;

  private final Strike.Kind kind;
  private final String name;
  private final Stage stage;
  private final Path folder;
  private final List<Life> lives = new ArrayList<>();
  private final List<Life> unsettled = new ArrayList<>();

  /**
   * From a start to the end, whatever that is.
   *
   * @param process what runs or ran
   * @param events where it tells what it does
   */
  record Life(ChildProcess process, Path events) {
    /** Whether it ended in this way. */
    boolean isEnded(End end) {
      return !process.isAlive() && !process.isKilled() && end.isOf(process.status());
    }
  }

  Actor(Strike.Kind kind, String name, Stage stage, Path folder) {
    this.kind = kind;
    this.name = name;
    this.stage = stage;
    this.folder = folder;
  }

  String name() {
    return name;
  }

  /** Starts another life, with the arguments of its command other than {@code --events}. */
  void start(List<String> arguments) throws IOException {
    Path events = folder.resolve("%s.%d.jsonl".formatted(name, lives.size()));
    List<String> command = new ArrayList<>(arguments);
    Path log = folder.resolve(name + ".log");
    if (kind == Strike.Kind.RECLAIMER) {
      log = events; // It tells by printing.
    } else {
      command.addAll(List.of("--events", events.toString()));
    }
    String life = "%s (life %d)".formatted(name, lives.size());
    ChildProcess process = stage.start(life, log, Launcher.command(HEAP_MEGABYTES, command));
    lives.add(new Life(process, events));
    unsettled.add(current());
  }

  /** All lives, in the order in which they were started. */
  List<Life> lives() {
    return List.copyOf(lives);
  }

  /** The life that was started last. */
  Life current() {
    return lives.get(lives.size() - 1);
  }

  /** The lives that have ended since this was last called. */
  List<Life> ended() {
    List<Life> ended = unsettled.stream().filter(life -> !life.process().isAlive()).toList();
    unsettled.removeAll(ended);
    return ended;
  }

  /** Whether any life came to its end because all was done. */
  boolean isDone() {
    return lives.stream().anyMatch(life -> life.isEnded(End.DONE));
  }

  /** Whether any life runs or sleeps. */
  boolean isAlive() {
    return lives.stream().anyMatch(life -> life.process().isAlive());
  }
}
