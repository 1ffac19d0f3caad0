// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static io.lakestream.cli.Table.left;
import static io.lakestream.cli.Table.right;

import io.lakestream.model.StepInfo;
import java.util.List;

/** Steps as {@code steps} and {@code tail} list them. */
final class StepTable {
  private final Table table =
      new Table(
          right("step"),
          right("version"),
          left("producer"),
          right("epoch"),
          right("seq"),
          left("offset"),
          right("size"),
          left("object"));

  void print(List<StepInfo> steps, Console console) {
    for (StepInfo step : steps) {
      int others = step.objects().size() - 1;
      table.row(
          step.step(),
          step.version(),
          step.producer(),
          step.epoch(),
          step.seq(),
          step.offset(),
          Units.bytes(step.bytes()),
          step.objects().get(0) + (others == 0 ? "" : " and %d more".formatted(others)));
    }
    table.print(console);
  }
}
