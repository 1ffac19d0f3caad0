// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Namespace;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code lakestream retire}. */
@Command(
    name = "retire",
    header = "End the term of a producer that died.",
    customSynopsis = "lakestream retire URI PRODUCER [OPTIONS]",
    description = {
      "The others no longer count it, and the stream can be sealed. A process that still runs under"
          + " this id is fenced. What the producer published stays, and it goes on behind it when"
          + " it is started again."
    })
final class RetireCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Parameters(index = "1", paramLabel = "PRODUCER", description = "The producer's id.")
  String producer;

  @Mixin JsonOption json;

  RetireCommand(Console console) {
    this.console = console;
  }

  private record Retired(String id, boolean retired) {}

  @Override
  public Integer call() throws InterruptedException {
    try (Namespace stream = namespace.open()) {
      boolean isRetired = stream.retire(producer);
      if (!isRetired && !json.isJson()) {
        throw new CommandFailed(
            "producer '%s' is not active; lakestream producers %s lists those that are"
                .formatted(producer, stream.place()));
      }
      json.print(
          console,
          new Retired(producer, isRetired),
          () -> console.print("producer '%s' is retired".formatted(producer)));
      return isRetired ? 0 : 1;
    }
  }
}
