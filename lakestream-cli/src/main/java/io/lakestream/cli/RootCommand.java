// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code lakestream} without a command, and the options that all commands have. */
@Command(
    name = "lakestream",
    header = "Streams of global training batches in an object store.",
    customSynopsis = "lakestream COMMAND [OPTIONS]",
    commandListHeading = "",
    mixinStandardHelpOptions = true,
    versionProvider = RootCommand.Version.class,
    scope = ScopeType.INHERIT,
    sortOptions = false)
final class RootCommand implements Runnable {
  /** Set on the root alone, since what the annotation says is passed on to all commands. */
  static final String[] FOOTER = {
    "",
    "A namespace is named by its URI, such as file:///runs/a, or by the path of its folder.",
    "Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted.",
    "'lakestream COMMAND --help' explains a command."
  };

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      order = 1_000,
      description = "Show log messages, and stack traces of failures.")
  boolean isVerbose;

  @Spec CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "name a command");
  }

  /** The version in the jar's manifest. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"lakestream " + (version == null ? "(unpackaged)" : version)};
    }
  }
}
