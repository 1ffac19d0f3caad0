// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import java.io.PrintStream;

/**
 * Shows how the demo goes: on a terminal one line that changes, elsewhere a plain line now and
 * then.
 */
final class StatusLine {
  private static final String CLEAR = "\r\u001b[K";
  private static final long PLAIN_NANOS = 5_000_000_000L;

  /** Longer lines would wrap, and could not be taken back. */
  private static final int COLUMNS = 79;

  private final PrintStream out;
  private final boolean isTerminal;
  private long shownNanos = System.nanoTime();
  private boolean isOpen;

  StatusLine(PrintStream out, boolean isTerminal) {
    this.out = out;
    this.isTerminal = isTerminal;
  }

  /** Shows the present state. */
  void show(String state) {
    if (isTerminal) {
      out.print(CLEAR + state.substring(0, Math.min(COLUMNS, state.length())));
      out.flush();
      isOpen = true;
    } else if (System.nanoTime() - shownNanos > PLAIN_NANOS) {
      shownNanos = System.nanoTime();
      out.println(state);
    }
  }

  /** Prints a line that stays. */
  void say(String line) {
    clear();
    out.println(line);
    shownNanos = System.nanoTime();
  }

  /** Takes the line away. */
  void clear() {
    if (isOpen) {
      out.print(CLEAR);
      out.flush();
      isOpen = false;
    }
  }
}
