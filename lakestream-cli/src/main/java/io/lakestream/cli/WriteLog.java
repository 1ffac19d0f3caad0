// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.Publication;
import io.lakestream.text.PackedBatch;
import java.util.Optional;
import java.util.TreeMap;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Counts what becomes visible, and shows it: on a terminal as a bar, and in the file of events.
 * Batches are announced by the thread that writes and published by the producer's.
 */
final class WriteLog implements AutoCloseable {
  private record Written(long tokens, String offset) {}

  private record Event(long seq, long version, long bytes, long tokens, double visibleMillis) {}

  private final Optional<EventFile> events;
  private final Console console;
  private final long batchesMax;
  private final TreeMap<Long, Written> pending = new TreeMap<>();
  private final long startNanos = System.nanoTime();
  private long tokens;
  private long bytes;
  private Optional<ProgressBar> bar = Optional.empty();
  private @Nullable String offset;

  WriteLog(Console console, Optional<EventFile> events, @Nullable Long batchesMax) {
    this.events = events;
    this.console = console;
    this.batchesMax = batchesMax == null ? -1 : batchesMax;
  }

  private ProgressBar newBar() {
    return new ProgressBarBuilder()
        .setTaskName("write")
        .setInitialMax(batchesMax)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(200)
        .setConsumer(new ConsoleProgressBarConsumer(console.err(), Console.COLUMNS))
        .build();
  }

  /** A batch is about to be written. */
  synchronized void written(long seq, PackedBatch batch) {
    // Not before: notes from the opening come first.
    if (console.isErrorTerminal() && bar.isEmpty()) {
      bar = Optional.of(newBar());
    }
    pending.put(seq, new Written(batch.tokens(), batch.offset()));
  }

  /** A batch became a step. */
  synchronized void published(Publication publication) {
    Written written = pending.remove(publication.seq());
    if (written == null) {
      throw new AssertionError("batch %d was never written".formatted(publication.seq()));
    }
    tokens += written.tokens;
    bytes += publication.bytes();
    offset = written.offset;
    events.ifPresent(
        file ->
            file.add(
                new Event(
                    publication.seq(),
                    publication.version(),
                    publication.bytes(),
                    written.tokens,
                    Units.millis(publication.visibleNanos()))));
    bar.ifPresent(this::show);
  }

  private void show(ProgressBar shown) {
    shown.step();
    shown.setExtraMessage(
        "%s, %s"
            .formatted(
                Units.count(tokens, "token"), Units.speed(bytes, System.nanoTime() - startNanos)));
  }

  private void closeBar() {
    bar.ifPresent(ProgressBar::close);
    bar = Optional.empty();
  }

  synchronized long tokens() {
    return tokens;
  }

  synchronized long bytes() {
    return bytes;
  }

  /** The offset of the last batch that was published. */
  synchronized Optional<String> offset() {
    return Optional.ofNullable(offset);
  }

  /** Writes the last line of the events. */
  synchronized void end(WriteSummary summary) {
    closeBar();
    events.ifPresent(file -> file.add(summary));
  }

  @Override
  public synchronized void close() {
    closeBar();
    events.ifPresent(EventFile::close);
  }
}
