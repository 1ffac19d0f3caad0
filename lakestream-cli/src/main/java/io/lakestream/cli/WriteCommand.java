// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Namespace;
import io.lakestream.model.SealMode;
import io.lakestream.policy.LagLimits;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.text.Documents;
import io.lakestream.text.PackingSettings;
import io.lakestream.text.Tokenizer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lakestream write}. */
@Command(
    name = "write",
    header = "Pack text into batches and publish them.",
    customSynopsis = "lakestream write URI --producer=ID --from=PATH [OPTIONS]",
    description = {
      "Packs documents into rows of tokens and publishes them as the steps of the stream. A"
          + " producer that published before goes on behind its last batch, so a run that was cut"
          + " off is repeated with the same arguments. Ctrl-C publishes what is on its way; a"
          + " second one ends at once."
    },
    sortOptions = false)
final class WriteCommand implements Callable<Integer>, Execution.StopsItself {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Option(
      names = "--producer",
      required = true,
      paramLabel = "ID",
      description = "The producer's name; at any time one process may use it.")
  String producer;

  @Mixin TextOptions text;
  @Mixin PackingOptions packing;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      defaultValue = "dac",
      description = "When to commit: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  PolicyName policy;

  @Option(names = "--limit", paramLabel = "N", description = "Write at most N batches.")
  @Nullable Long limit;

  @Option(
      names = "--max-lag",
      paramLabel = "N",
      description =
          "Wait while the stream is N steps ahead of the lowest step that a checkpoint may resume"
              + " from: bounds what is stored.")
  @Nullable Long lagMax;

  @Option(
      names = "--max-lead",
      paramLabel = "N",
      description = "Wait while the stream is N steps ahead of what the slowest rank has read.")
  @Nullable Long leadMax;

  @Option(names = "--seal", description = "Give the stream its end behind the last batch.")
  boolean isSealing;

  @Option(names = "--seal-force", description = "The same, even while other producers are active.")
  boolean isSealForced;

  @Option(
      names = "--events",
      paramLabel = "FILE",
      description = "Append a line of JSON for each published batch, and one at the end.")
  @Nullable Path events;

  @Option(
      names = "--pace",
      paramLabel = "MILLIS",
      defaultValue = "0",
      description = "Wait after each batch.")
  long paceMillis;

  @Mixin JsonOption json;

  WriteCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    Arguments.requireAtLeast("--limit", limit, 0);
    Arguments.requireAtLeast("--pace", paceMillis, 0);
    Arguments.requireAtLeast("--max-lag", lagMax, 1);
    Arguments.requireAtLeast("--max-lead", leadMax, 1);
    try (Namespace stream = console.stop().interruptible(namespace::open)) {
      namespace.noteDurability(console);
      PackingSettings settings = packing.settings(stream.mesh());
      Tokenizer tokenizer = packing.vocabulary().tokenizer();
      Documents documents = console.stop().interruptible(text::documents);
      Optional<EventFile> eventFile =
          Optional.ofNullable(events).map(path -> EventFile.open(path, event -> true));
      try (WriteLog log = new WriteLog(console, eventFile, limit)) {
        WriteRun run = new WriteRun(console, stream, log, this);
        run.write(documents, tokenizer, settings);
        WriteSummary summary = run.summary(stream.storeMetrics());
        log.end(summary);
        json.print(console, summary, () -> console.print(summary.text()));
      }
    }
    return 0;
  }

  ProducerSettings producerSettings() {
    return ProducerSettings.DEFAULT.withPolicy(policy.start()).withLimits(limits());
  }

  LagLimits limits() {
    return new LagLimits(
        lagMax == null ? LagLimits.NONE.lagMax() : lagMax,
        leadMax == null ? LagLimits.NONE.leadMax() : leadMax);
  }

  long batchesMax() {
    return limit == null ? Long.MAX_VALUE : limit;
  }

  Optional<SealMode> sealMode() {
    if (isSealForced) {
      return Optional.of(SealMode.FORCED);
    }
    return isSealing ? Optional.of(SealMode.WHEN_ALONE) : Optional.empty();
  }
}
