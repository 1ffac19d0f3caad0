// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static io.lakestream.cli.Table.left;
import static io.lakestream.cli.Table.right;

import io.lakestream.Namespace;
import io.lakestream.StreamView;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lakestream producers}. */
@Command(
    name = "producers",
    header = "List producers: how far each one came.",
    customSynopsis = "lakestream producers URI [OPTIONS]",
    description = "Lists the active producers, and those that retired of late.")
final class ProducersCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Mixin JsonOption json;

  ProducersCommand(Console console) {
    this.console = console;
  }

  private record Row(
      String id, boolean active, long epoch, long tgbs, @Nullable String offset, long lastVersion) {
    static Row of(StreamView.ProducerStatus status) {
      return new Row(
          status.id(),
          status.isActive(),
          status.epoch(),
          status.tgbs(),
          status.offset().orElse(null),
          status.lastVersion());
    }
  }

  @Override
  public Integer call() {
    try (Namespace stream = namespace.open()) {
      List<Row> rows = stream.view().producers().stream().map(Row::of).toList();
      json.printList(console, rows, () -> print(rows));
    }
    return 0;
  }

  private void print(List<Row> rows) {
    Table table =
        new Table(
            left("producer"),
            left("state"),
            right("epoch"),
            right("batches"),
            left("offset"),
            right("last version"));
    for (Row row : rows) {
      table.row(
          row.id,
          row.active ? "active" : "retired",
          row.epoch,
          Units.count(row.tgbs),
          row.offset == null ? "-" : row.offset,
          row.lastVersion);
    }
    table.print(console);
  }
}
