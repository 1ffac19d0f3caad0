// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.bench;

import io.lakestream.bench.io.IoBench;
import io.lakestream.bench.io.IoFigure;
import io.lakestream.bench.io.IoSettings;
import io.lakestream.cli.Console;
import io.lakestream.cli.JsonOption;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lakestream bench io}. */
@Command(
    name = "io",
    header = "Write and read batches, against plain file calls with the same safety.",
    customSynopsis = "lakestream bench io [OPTIONS]",
    sortOptions = false,
    description = {
      "Both sides write and read the same bytes with as many objects in flight, check CRC32C, and"
          + " publish files atomically and durably. They alternate; the ratio is the median over"
          + " the pairs. Then the metadata is counted that a rank of a wide mesh reads."
    })
final class BenchIoCommand implements Callable<Integer> {
  private final Console console;

  @Mixin Place place;

  @Option(
      names = "--sizes",
      paramLabel = "SIZE",
      split = ",",
      defaultValue = "100KB,1MB,10MB",
      converter = SizeText.class,
      description = "Sizes of a batch (default: ${DEFAULT-VALUE}).")
  List<Integer> sizes = IoSettings.SIZES;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "" + IoSettings.IN_FLIGHT,
      description = "Objects being written or read at a time (default: ${DEFAULT-VALUE}).")
  int inFlight;

  @Option(
      names = "--pairs",
      paramLabel = "N",
      defaultValue = "" + IoSettings.PAIRS,
      description = "How often each side is measured (default: ${DEFAULT-VALUE}).")
  int pairs;

  @Option(names = "--quick", description = "Short runs: a look, no measurement.")
  boolean isQuick;

  @Mixin JsonOption json;

  BenchIoCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    IoSettings settings =
        isQuick
            ? IoSettings.quick(place.folder(console), sizes, inFlight, pairs)
            : IoSettings.thorough(place.folder(console), sizes, inFlight, pairs);
    List<IoFigure> figures =
        Measurement.measured(console, progress -> IoBench.run(settings, progress));
    json.printList(console, figures, () -> new IoTable(figures).print(console, pairs));
    return 0;
  }
}
