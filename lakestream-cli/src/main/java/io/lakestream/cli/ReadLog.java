// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import io.lakestream.model.Cursor;
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
public final class ReadLog implements AutoCloseable {
  private record Event(
      @JsonUnwrapped StepInfo info,
      long nextStep,
      int nextPart,
      long sliceBytes,
      String sha256,
      double waitMillis) {

    /** Whether a reader that starts at a cursor has the step behind it. */
    private boolean isBefore(Cursor start) {
      return nextStep < start.step() || (nextStep == start.step() && nextPart <= start.part());
    }

    private boolean endsAt(Cursor start) {
      return nextStep == start.step() && nextPart == start.part();
    }
  }

  private final Sha256 descriptors = new Sha256();
  private Optional<EventFile> file = Optional.empty();
  private long steps;
  private long bytes;
  private Optional<Event> last = Optional.empty();

  private ReadLog() {}

  /**
   * Opens the events before {@code start} and removes the others.
   *
   * @throws InvalidRequest if the file ends before {@code start}
   */
  public static ReadLog open(Optional<Path> path, Cursor start) {
    ReadLog log = new ReadLog();
    log.file = path.map(events -> EventFile.open(events, event -> log.keep(event, start)));
    if (log.last.isPresent() && !log.last.get().endsAt(start)) {
      log.close();
      throw new InvalidRequest(
          "the events file ends at step %d, but reading goes on at step %d: name the file that"
                  .formatted(log.last.get().info.step(), start.step())
              + " belongs to the state, or a new one");
    }
    return log;
  }

  private boolean keep(JsonNode event, Cursor start) {
    long step = event.path("step").asLong(start.step());
    Event read =
        new Event(
            StepLine.read(event),
            event.path("nextStep").asLong(step + 1),
            event.path("nextPart").asInt(),
            event.path("sliceBytes").asLong(),
            event.path("sha256").asText(),
            event.path("waitMillis").asDouble());
    if (!read.isBefore(start)) {
      return false;
    }
    count(read);
    return true;
  }

  /** A step was read, and the reader stands at {@code next}. */
  public void add(RankBatch batch, Cursor next, long waitNanos) {
    Event event =
        new Event(
            batch.info(),
            next.step(),
            next.part(),
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
    last = Optional.of(event);
  }

  /** Forces the events to the disk. */
  public void force() {
    file.ifPresent(EventFile::force);
  }

  /** Writes the last line. No step may be added afterwards. */
  public ReadSummary end(SortedMap<String, StoreCalls> store) {
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
