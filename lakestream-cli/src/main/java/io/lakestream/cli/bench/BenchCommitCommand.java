// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.bench;

import io.lakestream.bench.commit.CommitBench;
import io.lakestream.bench.commit.CommitFigure;
import io.lakestream.bench.commit.HistoryLengths;
import io.lakestream.cli.Console;
import io.lakestream.cli.JsonOption;
import io.lakestream.model.InvalidRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lakestream bench commit}. */
@Command(
    name = "commit",
    header = "Commit to streams of a thousand and of ten million steps.",
    customSynopsis = "lakestream bench commit [OPTIONS]",
    sortOptions = false,
    description = {
      "Writes histories of these lengths without their data, then commits to them by turns, a step"
          + " each, and counts the requests of an opening and of a look for news."
    })
final class BenchCommitCommand implements Callable<Integer> {
  private static final int CYCLES_MAX = 1_000;

  private final Console console;

  @Mixin Place place;

  @Option(
      names = "--steps",
      paramLabel = "N",
      split = ",",
      defaultValue = "1000,1000000,10000000",
      description =
          "Lengths of the histories; the others are compared with the first (default:"
              + " ${DEFAULT-VALUE}).")
  List<Long> steps = HistoryLengths.DEFAULT.steps();

  @Option(
      names = "--cycles",
      paramLabel = "N",
      defaultValue = "8",
      description = "Seal cycles of 128 commits to measure (default: ${DEFAULT-VALUE}).")
  int cycles;

  @Mixin JsonOption json;

  BenchCommitCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (cycles < 1 || cycles > CYCLES_MAX) {
      throw new InvalidRequest("1 to %d cycles, not %d".formatted(CYCLES_MAX, cycles));
    }
    HistoryLengths lengths = new HistoryLengths(steps);
    Path folder = place.folder(console);
    List<CommitFigure> figures =
        Measurement.measured(
            console, progress -> CommitBench.run(folder, lengths, cycles, progress));
    json.printList(console, figures, () -> new CommitTable(figures).print(console));
    return 0;
  }
}
