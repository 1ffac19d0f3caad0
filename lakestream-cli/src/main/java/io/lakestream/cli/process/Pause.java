// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.process;

import io.lakestream.model.InvalidRequest;
import java.io.IOException;
import java.util.Optional;

/**
 * A process that is stopped. A stopped child does not notice that its parent is gone, so the
 * signals are sent by a shell: it holds the child for as long as the parent holds the shell's
 * standard input, and lets it go on when that is closed, even by the parent's death.
 */
public final class Pause {
  /** Signals from a terminal reach the shell too, which has to outlive them. */
  private static final String SCRIPT =
      "trap '' HUP INT TERM; kill -STOP $1 && echo stopped && read -r line; kill -CONT $1";

  private final Process holder;

  private Pause(Process holder) {
    this.holder = holder;
  }

  /**
   * Makes sure that processes can be stopped here.
   *
   * @throws InvalidRequest if they cannot
   */
  public static void requireSupport() throws InterruptedException {
    try {
      // A process that goes on is told to go on.
      Process trial = new ProcessBuilder("sh", "-c", "kill -CONT $$").start();
      if (trial.waitFor() == 0) {
        return;
      }
    } catch (IOException e) {
      // Said below.
    }
    throw new InvalidRequest(
        "processes are stopped and continued with 'sh' and its 'kill', which this system does not"
            + " have; use Linux or macOS");
  }

  /** Stops a process; empty if there is none of this id. */
  static Optional<Pause> of(long pid) throws IOException {
    Process holder =
        new ProcessBuilder("sh", "-c", SCRIPT, "sh", Long.toString(pid))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    // A line once it is stopped, or the end.
    boolean isStopped = holder.inputReader().readLine() != null;
    return isStopped ? Optional.of(new Pause(holder)) : Optional.empty();
  }

  /** Lets the process go on. */
  void end() throws IOException, InterruptedException {
    holder.getOutputStream().close();
    int unused = holder.waitFor();
  }

  /** Forgets the process, which is gone: its id may be another's by now. */
  void abandon() {
    var unused = holder.destroyForcibly();
  }
}
