// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lakestream group}: the commands of a training job. */
@Command(
    name = "group",
    header = "Training jobs: start, report, remove.",
    customSynopsis = "lakestream group COMMAND URI GROUP [OPTIONS]",
    description = {
      "A group is a training job over all its starts. Nothing that a checkpoint of its ranks may"
          + " resume from is reclaimed until it is removed."
    })
final class GroupCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "name what to do with the group: start, report or remove");
  }

  /** Gives the {@code group} of a command line its commands. */
  static void complete(CommandLine root, Console console) {
    CommandLine group = Objects.requireNonNull(root.getSubcommands().get("group"));
    group.addSubcommand(new GroupStartCommand(console));
    group.addSubcommand(new GroupReportCommand(console));
    group.addSubcommand(new GroupRemoveCommand(console));
  }

  /** A failure to find a group. */
  static CommandFailed missing(String group, String place) {
    return new CommandFailed(
        "there is no group '%s', or it was removed; lakestream watermarks %s lists those there are"
            .formatted(group, place));
  }
}
