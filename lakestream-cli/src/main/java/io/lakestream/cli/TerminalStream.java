// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.io.IOException;

/** Asks whether the standard error is a terminal, which Java cannot tell but {@code test} can. */
final class TerminalStream {
  private TerminalStream() {}

  /** What the standard error goes to; no terminal if that cannot be found out. */
  static Console.ErrorTarget ofError() {
    return System.getenv("TERM") != null && isTerminal()
        ? Console.ErrorTarget.TERMINAL
        : Console.ErrorTarget.OTHER;
  }

  private static boolean isTerminal() {
    // Not jline's, which unpacks a native library for this and leaves it behind if it is killed.
    ProcessBuilder test = new ProcessBuilder("test", "-t", "2");
    try {
      return test.redirectError(ProcessBuilder.Redirect.INHERIT).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
