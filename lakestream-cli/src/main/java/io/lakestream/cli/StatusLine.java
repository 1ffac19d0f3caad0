// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.io.PrintStream;
import java.util.OptionalInt;

/**
 * Shows what a long command is at, in whatever way suits the standard error. Safe for use by
 * several threads.
 */
public interface StatusLine {
  /** Shows the present state. */
  void show(String state);

  /** Prints a line that stays. */
  void say(String line);

  /** Takes the present state away. */
  void clear();

  /** On a terminal: one line that changes, and never wraps, since it could not be taken back. */
  final class ChangingLine implements StatusLine {
    private static final String CLEAR = "\r\u001b[K";

    /** For the {@code ^C} that terminals show, and as some wrap once the last column is written. */
    private static final int COLUMNS_FREE = 3;

    private final PrintStream out;
    private final Screen screen;
    private boolean isOpen;

    /** Shows nothing at first. */
    public ChangingLine(PrintStream out, Screen screen) {
      this.out = out;
      this.screen = screen;
    }

    @Override
    public synchronized void show(String state) {
      OptionalInt columns = screen.errorColumns();
      if (columns.isPresent()) {
        out.print(CLEAR + Width.cut(Table.oneLine(state), columns.getAsInt() - COLUMNS_FREE));
        out.flush();
        isOpen = true;
      }
    }

    @Override
    public synchronized void say(String line) {
      clear();
      out.println(line);
    }

    @Override
    public synchronized void clear() {
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
    public synchronized void show(String state) {
      if (System.nanoTime() - printedNanos > GAP_NANOS) {
        say(state);
      }
    }

    @Override
    public synchronized void say(String line) {
      out.println(line);
      printedNanos = System.nanoTime();
    }

    @Override
    public void clear() {}
  }
}
