// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.io.PrintStream;

/** Shows what a long command is at, in whatever way suits the standard error. */
public interface StatusLine {
  /** One for a console: a line that changes on a terminal, a plain line now and then elsewhere. */
  static StatusLine of(Console console) {
    return console.isErrorTerminal()
        ? new ChangingLine(console.err())
        : new PlainLines(console.err());
  }

  /** Shows the present state. */
  void show(String state);

  /** Prints a line that stays. */
  void say(String line);

  /** Takes the present state away. */
  void clear();

  /** On a terminal: one line that changes. */
  final class ChangingLine implements StatusLine {
    private static final String CLEAR = "\r\u001b[K";

    private final PrintStream out;
    private boolean isOpen;

    /** Shows nothing at first. */
    public ChangingLine(PrintStream out) {
      this.out = out;
    }

    @Override
    public void show(String state) {
      out.print(CLEAR + state.substring(0, Math.min(Console.COLUMNS, state.length())));
      out.flush();
      isOpen = true;
    }

    @Override
    public void say(String line) {
      clear();
      out.println(line);
    }

    @Override
    public void clear() {
      if (isOpen) {
        out.print(CLEAR);
        out.flush();
        isOpen = false;
      }
    }
  }

  /** In a file or a pipe: a line now and then. */
  final class PlainLines implements StatusLine {
    private static final long GAP_NANOS = 5_000_000_000L;

    private final PrintStream out;
    private long printedNanos = System.nanoTime();

    /** Shows nothing at first. */
    public PlainLines(PrintStream out) {
      this.out = out;
    }

    @Override
    public void show(String state) {
      if (System.nanoTime() - printedNanos > GAP_NANOS) {
        say(state);
      }
    }

    @Override
    public void say(String line) {
      out.println(line);
      printedNanos = System.nanoTime();
    }

    @Override
    public void clear() {}
  }
}
