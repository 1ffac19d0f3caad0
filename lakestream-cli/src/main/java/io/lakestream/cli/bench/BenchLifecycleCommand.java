// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.bench;

import io.lakestream.bench.lifecycle.LifecycleBench;
import io.lakestream.bench.lifecycle.LifecycleReport;
import io.lakestream.bench.lifecycle.LifecycleSettings;
import io.lakestream.cli.Console;
import io.lakestream.cli.JsonOption;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lakestream bench lifecycle}. */
@Command(
    name = "lifecycle",
    header = "Train with and without reclamation, and resume in a long history.",
    customSynopsis = "lakestream bench lifecycle [OPTIONS]",
    sortOptions = false,
    description = {
      "Two producers and the four ranks of a 2x2 mesh train the same steps twice, with a checkpoint"
          + " every 10 and producers at most 80 ahead of the oldest that is kept. Nothing is"
          + " forced to the disk (durability none). Then the requests are counted that it takes to"
          + " resume."
    })
final class BenchLifecycleCommand implements Callable<Integer> {
  private final Console console;

  @Mixin Place place;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "" + LifecycleSettings.STEPS,
      description = "Steps of a run (default: ${DEFAULT-VALUE}).")
  long steps;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "1MB",
      converter = SizeText.class,
      description = "Size of a batch (default: ${DEFAULT-VALUE}).")
  int tgbBytes;

  @Option(
      names = "--kept-checkpoints",
      paramLabel = "K",
      defaultValue = "1",
      description = "How many of its newest checkpoints the job keeps (default: ${DEFAULT-VALUE}).")
  int keptCheckpoints;

  @Option(
      names = "--history",
      paramLabel = "N",
      defaultValue = "" + LifecycleSettings.HISTORY_STEPS,
      description = "Length of the history to resume in (default: ${DEFAULT-VALUE}).")
  long historySteps;

  @Mixin JsonOption json;

  BenchLifecycleCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    LifecycleSettings settings =
        new LifecycleSettings(
            place.folder(console), steps, tgbBytes, keptCheckpoints, historySteps);
    LifecycleReport report =
        Measurement.measured(console, progress -> LifecycleBench.run(settings, progress));
    json.print(console, report.figure(), () -> new LifecycleTable(report).print(console));
    return 0;
  }
}
