// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.lifecycle;

import static io.lakestream.bench.lifecycle.LifecycleSettings.CHECKPOINT_STEPS;
import static io.lakestream.bench.lifecycle.LifecycleSettings.MESH;

import io.lakestream.Consumer;
import io.lakestream.Lakestream;
import io.lakestream.Lifecycle;
import io.lakestream.Namespace;
import io.lakestream.model.Cursor;
import io.lakestream.model.DataLoss;
import io.lakestream.model.Generation;
import io.lakestream.model.Pin;
import io.lakestream.model.RankBatch;
import io.lakestream.model.StepReclaimed;
import io.lakestream.model.Topology;
import io.lakestream.model.Watermark;
import io.lakestream.policy.ConsumerSettings;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.NavigableSet;
import java.util.stream.LongStream;

/** A rank of the job: reads every step, and reports a checkpoint every so many of them. */
final class Rank {
  /** Few, so that steps are read while the pass runs that deletes those before them. */
  private static final int PREFETCH_STEPS = 4;

  private static final long PREFETCH_BYTES = 256L * 1024 * 1024;

  private final LifecycleSettings settings;
  private final String place;
  private final Generation generation;
  private final int number;
  private final NavigableSet<Long> lostSteps;
  private final ArrayDeque<Pin> pins = new ArrayDeque<>();

  /**
   * A rank.
   *
   * @param lostSteps gets the steps that cannot be read, though this rank has not read them
   */
  Rank(
      LifecycleSettings settings,
      String place,
      Generation generation,
      int number,
      NavigableSet<Long> lostSteps) {
    this.settings = settings;
    this.place = place;
    this.generation = generation;
    this.number = number;
    this.lostSteps = lostSteps;
  }

  /** Trains all steps. */
  void train(Crew crew) throws IOException, InterruptedException {
    Topology topology = new Topology(MESH, MESH.cell(number));
    ConsumerSettings reading =
        ConsumerSettings.DEFAULT.withPrefetch(PREFETCH_STEPS, PREFETCH_BYTES, PREFETCH_STEPS);
    try (Namespace stream = Lakestream.open(place);
        Consumer consumer = stream.consumer(topology, Cursor.start(stream.uuid()), reading)) {
      for (long step = CHECKPOINT_STEPS; step <= settings.steps(); step += CHECKPOINT_STEPS) {
        readTo(consumer, step);
        crew.meet(); // What is stored at the checkpoint before was looked at.
        checkpoint(stream.lifecycle(), step);
        crew.meet();
      }
    }
  }

  private void readTo(Consumer consumer, long end) throws InterruptedException {
    long step = consumer.cursor().step();
    while (step < end) {
      try {
        RankBatch batch = consumer.next().orElseThrow();
        if (batch.step() != step) {
          throw new AssertionError("step %d was read, not %d".formatted(batch.step(), step));
        }
      } catch (DataLoss e) {
        lostSteps.add(step);
        consumer.seek(step + 1);
      } catch (StepReclaimed e) {
        LongStream.range(step, e.firstStep()).forEach(lostSteps::add);
        consumer.seek(e.firstStep());
      }
      step = consumer.cursor().step();
    }
  }

  /** A job that keeps one checkpoint only needs no pins: its watermarks say which. */
  private void checkpoint(Lifecycle lifecycle, long step) {
    if (settings.keptCheckpoints() > 1) {
      pins.add(lifecycle.pin(step, "rank %d, step %d".formatted(number, step)));
    }
    lifecycle.report(generation, number, new Watermark(step, step));
    if (pins.size() > settings.keptCheckpoints()) {
      lifecycle.unpin(pins.remove().name());
    }
  }
}
