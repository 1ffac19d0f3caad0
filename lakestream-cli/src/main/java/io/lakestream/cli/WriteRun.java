// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.ProducerMetrics;
import io.lakestream.model.SealMode;
import io.lakestream.store.StoreMetrics;
import io.lakestream.text.Documents;
import io.lakestream.text.PackedBatch;
import io.lakestream.text.PackingSettings;
import io.lakestream.text.Skipped;
import io.lakestream.text.TextPacker;
import io.lakestream.text.Tokenizer;
import java.util.Optional;

/** One life of a producer: from where the last one ended to the end of the text, or to a stop. */
final class WriteRun {
  private final Stop stop;
  private final Console console;
  private final WriteLog log;
  private final WriteCommand command;
  private final Producer producer;
  private final long startNanos = System.nanoTime();
  private Skipped skipped = Skipped.NONE;

  WriteRun(Console console, Namespace stream, WriteLog log, WriteCommand command) throws Exception {
    this.stop = console.stop();
    this.console = console;
    this.log = log;
    this.command = command;
    this.producer =
        stop.interruptible(
            () -> stream.producer(command.producer, command.producerSettings(), log::published));
  }

  /** Publishes; what was written is published also if the text turns out to be unusable. */
  void write(Documents documents, Tokenizer tokenizer, PackingSettings settings) throws Exception {
    // So that what publishing fails with does not hide what writing failed with.
    AutoCloseable publishing = this::close;
    AutoCloseable telling = new HeldBack(producer::waitsFor, log::waits);
    try (publishing;
        telling) {
      writeUntilStop(documents, tokenizer, settings);
    }
    if (stop.isRequested()) {
      throw stopped();
    }
  }

  private void writeUntilStop(Documents documents, Tokenizer tokenizer, PackingSettings settings)
      throws Exception {
    try {
      try (TextPacker packer = packer(documents, tokenizer, settings)) {
        producer.recoveredOffset().ifPresent(this::sayResumed);
        writeAll(packer);
        skipped = documents.skipped().plus(packer.statistics().skipped());
      }
      Optional<SealMode> seal = command.sealMode();
      if (seal.isPresent() && !stop.isRequested()) {
        seal(seal.get());
      }
    } catch (InterruptedException e) {
      // Asked to stop: there is nothing left to do but to publish what was written.
    }
  }

  private void sayResumed(String offset) {
    console.note(
        "producer '%s' goes on behind its %s, at offset %s"
            .formatted(producer.id(), Units.count(producer.recoveredTgbs(), "batch"), offset));
  }

  private TextPacker packer(Documents documents, Tokenizer tokenizer, PackingSettings settings)
      throws Exception {
    Optional<String> offset = producer.recoveredOffset();
    try {
      return stop.interruptible(
          () ->
              offset.isPresent()
                  ? TextPacker.resume(documents, tokenizer, settings, offset.get())
                  : TextPacker.open(documents, tokenizer, settings));
    } catch (InvalidRequest e) {
      throw new InvalidRequest(
          ("producer '%s' cannot go on: %s. What must stay as it was: --from, --share, --field,"
                  + " --encoding or --ranks, --sequence-length, --rows, --cp-layout and"
                  + " --blocks-per-rank")
              .formatted(producer.id(), e.getMessage()));
    }
  }

  private void writeAll(TextPacker packer) throws Exception {
    long seq = producer.recoveredTgbs();
    long end = seq + Math.min(command.batchesMax(), Long.MAX_VALUE - seq);
    while (seq < end) {
      Optional<PackedBatch> next = stop.interruptible(() -> next(packer));
      if (next.isEmpty()) {
        return;
      }
      PackedBatch batch = next.get();
      log.written(seq, batch);
      stop.interruptible(
          () -> {
            producer.write(batch.tgb(), batch.offset());
            Thread.sleep(command.paceMillis);
            return batch;
          });
      seq++;
    }
  }

  private static Optional<PackedBatch> next(TextPacker packer) {
    return packer.hasNext() ? Optional.of(packer.next()) : Optional.empty();
  }

  private void seal(SealMode mode) throws Exception {
    stop.interruptible(
        () -> {
          producer.flush();
          return mode;
        });
    try {
      stop.bounded(
          () -> {
            producer.seal(mode);
            return mode;
          });
    } catch (InvalidRequest e) {
      throw new CommandFailed(
          "everything was published, but the stream was not sealed: " + e.getMessage(), e);
    }
  }

  private void close() throws Exception {
    try {
      boolean unused =
          stop.bounded(
              () -> {
                producer.close();
                return true;
              });
    } catch (CommitUnknown e) {
      if (!stop.isRequested()) {
        throw e;
      }
      // The time is over; the message about the stop says how far publishing came.
    }
  }

  private CommandFailed stopped() {
    ProducerMetrics metrics = producer.metrics();
    return new CommandFailed(
        "stopped; %s of %s written are published%s. The same command goes on from there"
            .formatted(
                Units.count(metrics.tgbsPublished()),
                Units.count(metrics.tgbsWritten(), "batch"),
                producer.waitsFor().map("; it was held back: "::concat).orElse("")));
  }

  WriteSummary summary(StoreMetrics store) {
    ProducerMetrics metrics = producer.metrics();
    return new WriteSummary(
        true,
        metrics.tgbsPublished(),
        log.tokens(),
        log.bytes(),
        metrics.objectsPut(),
        metrics.attempts(),
        metrics.commits(),
        Units.millis(System.nanoTime() - startNanos),
        producer.recoveredOffset().orElse(null),
        log.offset().or(producer::recoveredOffset).orElse(null),
        command.sealMode().isPresent(),
        new Skips(skipped),
        StoreCalls.of(store));
  }
}
