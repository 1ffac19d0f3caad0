// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static io.lakestream.cli.Table.left;
import static io.lakestream.cli.Table.right;

import io.lakestream.Namespace;
import io.lakestream.model.SkippedRange;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lakestream skips}. */
@Command(
    name = "skips",
    header = "List the steps that jobs skip, and why.",
    customSynopsis = "lakestream skips URI [OPTIONS]",
    description = {
      "A start of a job skips what was recorded up to the version that it starts from; 'lakestream"
          + " watermarks --json' tells that. Ranges of reclaimed steps are not listed."
    })
final class SkipsCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Mixin JsonOption json;

  SkipsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try (Namespace stream = namespace.open()) {
      List<SkippedRange> ranges = stream.view().skips();
      json.printList(console, ranges, () -> table(ranges).print(console));
    }
    return 0;
  }

  private static Table table(List<SkippedRange> ranges) {
    Table table = new Table(right("first"), right("last"), right("version"), left("reason"));
    ranges.forEach(
        range -> table.row(range.first(), range.end() - 1, range.version(), range.reason()));
    return table;
  }
}
