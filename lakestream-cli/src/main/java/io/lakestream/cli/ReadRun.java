// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Consumer;
import io.lakestream.model.ConsumerMetrics;
import io.lakestream.model.Cursor;
import io.lakestream.model.RankBatch;
import java.util.Optional;

/** One life of a reader: from its cursor to the end of the stream, or to a stop. */
final class ReadRun {
  private final Stop stop;
  private final Consumer consumer;
  private final ReadLog log;
  private final Optional<StateFile> state;
  private final long startNanos = System.nanoTime();

  /** Behind the last step whose event was written. */
  private Cursor logged;

  ReadRun(Stop stop, Consumer consumer, ReadLog log, Optional<StateFile> state) {
    this.stop = stop;
    this.consumer = consumer;
    this.log = log;
    this.state = state;
    this.logged = consumer.cursor();
  }

  /** Reads; where it stands is written also if a step cannot be read. */
  void read(long stepsMax, long checkpointEvery) throws Exception {
    // So that a state that cannot be written does not hide why reading failed.
    AutoCloseable last = this::checkpoint;
    try (last) {
      readUntilStop(stepsMax, checkpointEvery);
    }
  }

  private void readUntilStop(long stepsMax, long checkpointEvery) throws Exception {
    try {
      long steps = 0;
      Optional<RankBatch> batch = steps < stepsMax ? next() : Optional.empty();
      while (batch.isPresent()) {
        steps++;
        if (steps % checkpointEvery == 0) {
          checkpoint();
        }
        batch = steps < stepsMax ? next() : Optional.empty();
      }
    } catch (InterruptedException e) {
      // Asked to stop: there is nothing left to do but to write the state.
    }
  }

  private Optional<RankBatch> next() throws Exception {
    long waitedBefore = consumer.metrics().waitNanos();
    Optional<RankBatch> batch = stop.interruptible(consumer::next);
    if (batch.isPresent()) {
      log.add(batch.get(), consumer.cursor(), consumer.metrics().waitNanos() - waitedBefore);
      logged = consumer.cursor();
    }
    return batch;
  }

  /** First the events, then the cursor behind them, so that no event is missing after a crash. */
  private void checkpoint() {
    log.force();
    state.ifPresent(file -> file.write(logged));
  }

  /** What was read, for people. */
  String text() {
    ConsumerMetrics metrics = consumer.metrics();
    long nanos = System.nanoTime() - startNanos;
    return """
    read %s of %s as slice %s of %s in %s, %s
    waited %s for the stream; the next step is %s\
    """
        .formatted(
            Units.count(metrics.steps(), "step"),
            Units.bytes(metrics.bytes()),
            consumer.topology().cell(),
            consumer.topology().mesh(),
            Units.duration(nanos),
            Units.speed(metrics.bytes(), nanos),
            Units.duration(metrics.waitNanos()),
            place(consumer.cursor()));
  }

  /** Where a cursor stands. */
  static String place(Cursor cursor) {
    return cursor.part() == 0
        ? Long.toString(cursor.step())
        : "%d from replica %d on".formatted(cursor.step(), cursor.part());
  }
}
