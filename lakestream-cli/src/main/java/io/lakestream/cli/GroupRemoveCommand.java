// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Namespace;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code lakestream group remove}. */
@Command(
    name = "remove",
    header = "Let a job go that is done.",
    customSynopsis = "lakestream group remove URI GROUP [OPTIONS]",
    description = {"Its ranks hold nothing any more; pins stay. The group may be started again."})
final class GroupRemoveCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Parameters(index = "1", paramLabel = "GROUP", description = "The job's name.")
  String group;

  @Mixin JsonOption json;

  GroupRemoveCommand(Console console) {
    this.console = console;
  }

  private record Removed(String group, boolean removed) {}

  @Override
  public Integer call() {
    try (Namespace stream = namespace.open()) {
      boolean isRemoved = stream.lifecycle().remove(group);
      if (!isRemoved && !json.isJson()) {
        throw GroupCommand.missing(group, stream.place());
      }
      json.print(
          console,
          new Removed(group, isRemoved),
          () -> console.print("group '%s' is removed".formatted(group)));
      return isRemoved ? 0 : 1;
    }
  }
}
