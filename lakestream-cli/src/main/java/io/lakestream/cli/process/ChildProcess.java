// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One run of this command as a child, from its start to its end or a kill. For use by one thread.
 */
public final class ChildProcess {
  /** The last lines of a child's output that say why it failed. */
  private static final int LAST_LINES = 5;

  private final String name;
  private final Path log;
  private final Process process;
  private Optional<Pause> pause = Optional.empty();
  private boolean isKilled;

  private ChildProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param name what it is called
   * @param log takes what it prints, behind what is there
   * @param command made by {@link Launcher}
   */
  static ChildProcess start(String name, Path log, List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new ChildProcess(name, log, process);
  }

  /** What it is called. */
  public String name() {
    return name;
  }

  /** Whether it has not ended yet; it may be paused. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Whether it came to its end by itself and in good order. */
  public boolean hasFinished() {
    return !process.isAlive() && process.exitValue() == 0;
  }

  /** Whether it ended by itself, but not in good order. */
  public boolean hasFailed() {
    return !process.isAlive() && process.exitValue() != 0 && !isKilled;
  }

  /** The exit status of one that has ended. */
  public int status() {
    return process.exitValue();
  }

  /** Sends it SIGKILL if it still runs, without waiting. */
  public void kill() {
    isKilled |= process.isAlive();
    var unused = process.destroyForcibly();
    pause.ifPresent(Pause::abandon);
    pause = Optional.empty();
  }

  /** Whether it ended by {@link #kill}, or will. */
  public boolean isKilled() {
    return isKilled;
  }

  /** Waits until it is gone. */
  public void join() throws InterruptedException {
    int unused = process.waitFor();
  }

  /** Stops it (SIGSTOP) until {@link #resume}; it goes on by itself if this process dies. */
  public void pause() throws IOException {
    if (pause.isEmpty() && process.isAlive()) {
      pause = Pause.of(process.pid());
    }
  }

  /** Lets it go on (SIGCONT) if it is paused. */
  public void resume() throws IOException, InterruptedException {
    if (pause.isPresent()) {
      pause.get().end();
      pause = Optional.empty();
    }
  }

  /** Whether it is paused. */
  public boolean isPaused() {
    return pause.isPresent();
  }

  /** Exit status and last output of a child that ended. */
  public String lastWords() throws IOException {
    List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
    List<String> last = lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
    return "%s ended with status %d: %s".formatted(name, status(), String.join(" | ", last));
  }
}
