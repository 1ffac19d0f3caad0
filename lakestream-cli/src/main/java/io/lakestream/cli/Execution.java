// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** Runs a parsed command: logging first, and a stop by interruption unless it sees to that. */
final class Execution implements CommandLine.IExecutionStrategy {
  private final Console console;

  Execution(Console console) {
    this.console = console;
  }

  /** A command that uses {@link Stop} itself, to end in good order. */
  interface StopsItself {}

  @Override
  public int execute(ParseResult parsed) {
    LogLines.configure(console, Verbosity.of(parsed.commandSpec().commandLine()));
    CommandLine.IExecutionStrategy last = new CommandLine.RunLast();
    ParseResult command = parsed;
    while (command.hasSubcommand()) {
      command = command.subcommand();
    }
    if (command.commandSpec().userObject() instanceof StopsItself) {
      console.stop().drainFirst();
      return last.execute(parsed);
    }
    try {
      return console.stop().interruptible(() -> last.execute(parsed));
    } catch (CommandLine.ExecutionException | CommandLine.ParameterException e) {
      throw e;
    } catch (Exception e) {
      throw new CommandLine.ExecutionException(parsed.commandSpec().commandLine(), "stopped", e);
    }
  }
}
