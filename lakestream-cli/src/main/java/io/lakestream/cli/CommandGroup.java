// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.util.List;
import picocli.CommandLine;

/**
 * Commands that help shows together.
 *
 * @param title what they have in common
 * @param commands objects with picocli's annotations
 */
record CommandGroup(String title, List<Object> commands) {
  CommandGroup(String title, Object... commands) {
    this(title, List.of(commands));
  }

  /** The list of commands for {@code lakestream --help}. */
  static String render(List<CommandGroup> groups, CommandLine.Help help) {
    int width = help.subcommands().keySet().stream().mapToInt(String::length).max().orElse(0);
    StringBuilder text = new StringBuilder();
    for (CommandGroup group : groups) {
      text.append(System.lineSeparator()).append(group.title).append(':');
      text.append(System.lineSeparator());
      for (Object command : group.commands) {
        CommandLine.Model.CommandSpec spec =
            CommandLine.Model.CommandSpec.forAnnotatedObject(command);
        String summary = String.join(" ", spec.usageMessage().header());
        String name = spec.name() + " ".repeat(width - spec.name().length());
        text.append("  ").append(name).append("  ").append(summary);
        text.append(System.lineSeparator());
      }
    }
    return text.toString();
  }
}
