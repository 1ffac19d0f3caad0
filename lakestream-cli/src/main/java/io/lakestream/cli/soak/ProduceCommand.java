// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.cli.Console;
import io.lakestream.cli.EventFile;
import io.lakestream.cli.NamespaceArgument;
import io.lakestream.cli.PolicyName;
import io.lakestream.model.LakestreamException;
import io.lakestream.model.Publication;
import io.lakestream.policy.LagLimits;
import io.lakestream.policy.ProducerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A life of a producer of the soak: writes samples from where the last life came to. */
@Command(name = "produce", hidden = true, header = "A producer of 'lakestream soak'.")
final class ProduceCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Option(names = "--producer", required = true)
  String producer = "";

  @Option(names = "--policy", required = true)
  PolicyName policy = PolicyName.DAC;

  @Option(names = "--pace", required = true)
  long paceMillis;

  @Option(names = "--max-lag", required = true)
  long lagMax;

  /** Once this file is there, what was written is published, and the producer closed. */
  @Option(names = "--drain", required = true)
  Path drain = Path.of("");

  @Option(names = "--events", required = true)
  Path events = Path.of("");

  ProduceCommand(Console console) {
    this.console = console;
  }

  /**
   * What a producer found when it was opened.
   *
   * @param opened its epoch
   * @param recoveredSeq how many batches earlier lives published
   * @param recoveredOffset the offset of the last of them, or null
   */
  record Opened(long opened, long recoveredSeq, @Nullable String recoveredOffset) {}

  private record Published(long seq, long version) {
    static Published of(Publication publication) {
      return new Published(publication.seq(), publication.version());
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    try (Namespace stream = namespace.open();
        EventFile told = EventFile.open(events, event -> true)) {
      produce(stream, told);
      return End.DONE.status();
    } catch (LakestreamException e) {
      console.note(String.valueOf(e.getMessage()));
      return End.of(e).orElseThrow(() -> e).status();
    }
  }

  private void produce(Namespace stream, EventFile told) throws InterruptedException {
    ProducerSettings settings =
        ProducerSettings.DEFAULT
            .withPolicy(policy.start())
            .withLimits(new LagLimits(lagMax, Long.MAX_VALUE));
    try (Producer open =
        stream.producer(producer, settings, batch -> told.add(Published.of(batch)))) {
      Optional<String> offset = open.recoveredOffset();
      told.add(new Opened(open.epoch(), open.recoveredTgbs(), offset.orElse(null)));
      long sample = offset.map(Long::parseLong).orElse(0L);
      while (!Files.exists(drain)) {
        open.write(Samples.batch(stream.mesh(), producer, sample), Samples.offset(sample));
        sample++;
        Thread.sleep(paceMillis);
      }
    }
  }
}
