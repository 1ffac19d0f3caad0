// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.Publication;
import io.lakestream.text.PackedBatch;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts what becomes visible, and shows it: on a terminal in a line, and in the file of events.
 * Batches are announced by the thread that writes and published by the producer's.
 */
final class WriteLog implements AutoCloseable {
  /** Faster than anybody reads, slower than a fast disk takes batches. */
  private static final long GAP_NANOS = 100_000_000L;

  private record Written(long tokens, String offset) {}

  private record Event(long seq, long version, long bytes, long tokens, double visibleMillis) {}

  private final Optional<EventFile> events;
  private final Console console;
  private final @Nullable Long batchesMax;
  private final TreeMap<Long, Written> pending = new TreeMap<>();
  private final long startNanos = System.nanoTime();
  private long tokens;
  private long bytes;
  private long published;
  private long shownNanos = startNanos;
  private @Nullable String offset;

  WriteLog(Console console, Optional<EventFile> events, @Nullable Long batchesMax) {
    this.events = events;
    this.console = console;
    this.batchesMax = batchesMax;
  }

  /** A batch is about to be written. */
  synchronized void written(long seq, PackedBatch batch) {
    pending.put(seq, new Written(batch.tokens(), batch.offset()));
    show();
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
    published++;
    show();
  }

  /** Nothing is written at the moment, as the producer is held back. */
  synchronized void waits(String cause) {
    if (console.isErrorTerminal()) {
      console.status().show("held back: %s; %s".formatted(cause, state(elapsedNanos())));
    }
  }

  private long elapsedNanos() {
    return System.nanoTime() - startNanos;
  }

  private void show() {
    long nanos = System.nanoTime();
    if (console.isErrorTerminal() && nanos - shownNanos > GAP_NANOS) {
      shownNanos = nanos;
      console.status().show(state(nanos - startNanos));
    }
  }

  private String state(long nanos) {
    String batches =
        batchesMax == null
            ? Units.count(published, "batch")
            : "%s of %s".formatted(Units.count(published), Units.count(batchesMax, "batch"));
    return "%d s: published %s, %s, %s"
        .formatted(
            nanos / 1_000_000_000L,
            batches,
            Units.count(tokens, "token"),
            Units.speed(bytes, nanos));
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
    console.status().clear();
    events.ifPresent(file -> file.add(summary));
  }

  @Override
  public synchronized void close() {
    console.status().clear();
    events.ifPresent(EventFile::close);
  }
}
