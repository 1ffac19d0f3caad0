// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Namespace;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code lakestream unpin}. */
@Command(
    name = "unpin",
    header = "Take a pin back, as its checkpoint is deleted.",
    customSynopsis = "lakestream unpin URI NAME [OPTIONS]")
final class UnpinCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Parameters(
      index = "1",
      paramLabel = "NAME",
      description = "The pin's name, as 'lakestream pin' printed it.")
  String name;

  @Mixin JsonOption json;

  UnpinCommand(Console console) {
    this.console = console;
  }

  private record Unpinned(String name, boolean unpinned) {}

  @Override
  public Integer call() {
    try (Namespace stream = namespace.open()) {
      boolean isUnpinned = stream.lifecycle().unpin(name);
      if (!isUnpinned && !json.isJson()) {
        throw new CommandFailed(
            "there is no pin %s; lakestream pins %s lists those there are"
                .formatted(name, stream.place()));
      }
      json.print(
          console,
          new Unpinned(name, isUnpinned),
          () -> console.print("pin %s is taken back".formatted(name)));
      return isUnpinned ? 0 : 1;
    }
  }
}
