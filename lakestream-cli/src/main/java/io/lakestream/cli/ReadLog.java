// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.RankBatch;
import io.lakestream.model.StepInfo;
import io.lakestream.text.Sha256;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Counts what was read and writes it to the file of events. The file, if there is one, covers the
 * reader's earlier lives up to the step where this one starts.
 */
final class ReadLog implements AutoCloseable {
  private record Event(
      @JsonUnwrapped StepInfo info, long sliceBytes, String sha256, double waitMillis) {}

  private final Sha256 descriptors = new Sha256();
  private Optional<EventFile> file = Optional.empty();
  private long steps;
  private long bytes;
  private long lastStep = -1;

  private ReadLog() {}

  /**
   * Opens the events before {@code start} and removes the others.
   *
   * @throws InvalidRequest if the file ends before {@code start}
   */
  static ReadLog open(Optional<Path> path, long start) {
    ReadLog log = new ReadLog();
    log.file = path.map(events -> EventFile.open(events, event -> log.keep(event, start)));
    if (log.steps > 0 && log.lastStep != start - 1) {
      log.close();
      throw new InvalidRequest(
          "the events file ends at step %d, but reading goes on at step %d: name the file that"
                  .formatted(log.lastStep, start)
              + " belongs to the state, or a new one");
    }
    return log;
  }

  private boolean keep(JsonNode event, long start) {
    long step = event.path("step").asLong(start);
    if (step >= start) {
      return false;
    }
    count(
        new Event(
            StepLine.read(event),
            event.path("sliceBytes").asLong(),
            event.path("sha256").asText(),
            event.path("waitMillis").asDouble()));
    return true;
  }

  /** A step was read. */
  void add(RankBatch batch, long waitNanos) {
    Event event =
        new Event(
            batch.info(),
            batch.payload().remaining(),
            new Sha256().add(batch.payload()).hex(),
            Units.millis(waitNanos));
    count(event);
    file.ifPresent(events -> events.add(event));
  }

  private void count(Event event) {
    descriptors.add(StepLine.of(event.info).getBytes(StandardCharsets.UTF_8));
    steps++;
    bytes += event.sliceBytes;
    lastStep = event.info.step();
  }

  /** Forces the events to the disk. */
  void force() {
    file.ifPresent(EventFile::force);
  }

  /** Writes the last line. No step may be added afterwards. */
  ReadSummary end(SortedMap<String, StoreCalls> store) {
    ReadSummary summary = new ReadSummary(true, steps, bytes, descriptors.hex(), store);
    file.ifPresent(events -> events.add(summary));
    force();
    return summary;
  }

  @Override
  public void close() {
    file.ifPresent(EventFile::close);
  }
}
