// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import picocli.CommandLine;

/** How much is told of what libraries log and where failures come from. */
enum Verbosity {
  /** Warnings, and a line for a failure. */
  NORMAL,
  /** All log messages, and the stack trace of a failure too. */
  VERBOSE;

  /** What the options of a command line, or of the one that it is part of, ask for. */
  static Verbosity of(CommandLine commandLine) {
    CommandLine root = commandLine;
    while (root.getParent() != null) {
      root = root.getParent();
    }
    return root.getCommand() instanceof RootCommand command && command.isVerbose ? VERBOSE : NORMAL;
  }
}
