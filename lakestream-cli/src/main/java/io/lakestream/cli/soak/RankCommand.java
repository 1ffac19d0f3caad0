// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.Consumer;
import io.lakestream.Namespace;
import io.lakestream.cli.CellText;
import io.lakestream.cli.Console;
import io.lakestream.cli.NamespaceArgument;
import io.lakestream.cli.ReadLog;
import io.lakestream.cli.StateFile;
import io.lakestream.cli.StoreCalls;
import io.lakestream.model.Cell;
import io.lakestream.model.Cursor;
import io.lakestream.model.Generation;
import io.lakestream.model.LakestreamException;
import io.lakestream.model.RankBatch;
import io.lakestream.model.Topology;
import io.lakestream.model.Watermark;
import io.lakestream.policy.ConsumerSettings;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A life of a rank of the soak: reads on from the checkpoint at which its job started, saves its
 * cursor now and then, as trainers do with their weights, and reports it once it is saved.
 */
@Command(name = "rank", hidden = true, header = "A rank of 'lakestream soak'.")
final class RankCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Option(names = "--slice", required = true, converter = CellText.class)
  Cell cell = new Cell(0, 0);

  @Option(names = "--cursor", required = true)
  String cursor = "";

  @Option(names = "--group", required = true)
  String group = "";

  @Option(names = "--start", required = true)
  long number;

  @Option(names = "--start-version", required = true)
  long version;

  @Option(names = "--checkpoint-every", required = true)
  long checkpointEvery;

  @Option(names = "--state", required = true)
  Path state = Path.of("");

  @Option(names = "--events", required = true)
  Path events = Path.of("");

  RankCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws InterruptedException {
    Cursor start = Cursor.parse(cursor);
    try (Namespace stream = namespace.open();
        ReadLog told = ReadLog.open(Optional.of(events), start)) {
      read(stream, start, told);
      var unused = told.end(StoreCalls.of(stream.storeMetrics()));
      return End.DONE.status();
    } catch (LakestreamException e) {
      console.note(String.valueOf(e.getMessage()));
      return End.of(e).orElseThrow(() -> e).status();
    }
  }

  private void read(Namespace stream, Cursor start, ReadLog told) throws InterruptedException {
    Topology topology = new Topology(stream.mesh(), cell);
    try (Consumer consumer = stream.consumer(topology, start, ConsumerSettings.DEFAULT)) {
      Optional<RankBatch> batch = consumer.next();
      while (batch.isPresent()) {
        told.add(batch.get(), consumer.cursor(), 0);
        // Counted from the start of the stream, so that all ranks have the same checkpoints.
        if (consumer.cursor().step() % checkpointEvery == 0) {
          checkpoint(stream, told, consumer.cursor());
        }
        batch = consumer.next();
      }
      checkpoint(stream, told, consumer.cursor());
    }
  }

  private void checkpoint(Namespace stream, ReadLog told, Cursor reached) {
    told.force();
    new StateFile(state).write(reached);
    int ranks = stream.mesh().cells();
    long startStep = Cursor.parse(cursor).step();
    var unused =
        stream
            .lifecycle()
            .report(
                new Generation(group, number, ranks, startStep, version),
                stream.mesh().index(cell),
                new Watermark(reached.step(), reached.step()));
  }
}
