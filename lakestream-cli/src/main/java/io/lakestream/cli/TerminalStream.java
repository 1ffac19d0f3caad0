// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.io.IOException;
import org.jline.terminal.spi.SystemStream;
import org.jline.terminal.spi.TerminalProvider;

/** Asks whether a stream of this process is a terminal, which the JDK cannot tell. */
final class TerminalStream {
  private TerminalStream() {}

  static boolean isErrorTerminal() {
    if (System.getenv("TERM") == null) {
      return false;
    }
    try {
      return TerminalProvider.load("exec").isSystemStream(SystemStream.Error);
    } catch (IOException e) {
      return false;
    }
  }
}
