// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.bench;

import io.lakestream.bench.Progress;
import io.lakestream.cli.Console;

/** Shows on a terminal what a benchmark is at, in one line that goes when it ends. */
final class ProgressLine implements Progress, AutoCloseable {
  private static final String CLEAR = "\r\u001b[K";

  /** Longer lines would wrap, and could not be taken back. */
  private static final int COLUMNS = 79;

  private final Console console;
  private boolean isOpen;

  ProgressLine(Console console) {
    this.console = console;
  }

  @Override
  public void stage(String what) {
    if (console.isErrorTerminal()) {
      console.err().print(CLEAR + what.substring(0, Math.min(COLUMNS, what.length())));
      console.err().flush();
      isOpen = true;
    }
  }

  @Override
  public void close() {
    if (isOpen) {
      console.err().print(CLEAR);
      console.err().flush();
      isOpen = false;
    }
  }
}
