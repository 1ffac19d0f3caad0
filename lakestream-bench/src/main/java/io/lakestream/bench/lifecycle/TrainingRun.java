// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.lifecycle;

import static io.lakestream.bench.lifecycle.LifecycleSettings.CHECKPOINT_STEPS;
import static io.lakestream.bench.lifecycle.LifecycleSettings.LAG_MAX;
import static io.lakestream.bench.lifecycle.LifecycleSettings.MESH;
import static io.lakestream.bench.lifecycle.LifecycleSettings.PRODUCERS;

import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.StreamView;
import io.lakestream.bench.Progress;
import io.lakestream.model.Cell;
import io.lakestream.model.Generation;
import io.lakestream.model.PublicationListener;
import io.lakestream.model.RawTgbBuilder;
import io.lakestream.model.Tgb;
import io.lakestream.policy.LagLimits;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.runtime.Environment;
import io.lakestream.store.FileStore;
import io.lakestream.store.FileStore.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A training job on a stream of its own: producers that the lag holds back, and all ranks, as
 * threads that use the public API. After every checkpoint this one looks at what is stored, lets a
 * pass of reclamation run, and looks again; the ranks read on meanwhile, but report no other
 * checkpoint, so that W_global stands still.
 */
final class TrainingRun {
  private static final String DURABILITY = "?durability=none";
  private static final String GROUP = "trainer";

  private static final ProducerSettings HELD_BACK =
      ProducerSettings.DEFAULT.withLimits(new LagLimits(LAG_MAX, Long.MAX_VALUE));

  private static final long PAUSE_MILLIS = 2;

  /** How long producers may take to get as far ahead as they may: much more than they need. */
  private static final long FILLING_SECONDS_MAX = 120;

  private final LifecycleSettings settings;
  private final Path root;
  private final Pass pass;
  private final Progress progress;
  private final NavigableSet<Long> lostSteps = new ConcurrentSkipListSet<>();
  private final List<Reading> readings = new ArrayList<>();

  /**
   * A run that has not begun.
   *
   * @param root the folder of its stream, which is not there yet
   * @param pass what happens after each checkpoint
   */
  TrainingRun(LifecycleSettings settings, Path root, Pass pass, Progress progress) {
    this.settings = settings;
    this.root = root;
    this.pass = pass;
    this.progress = progress;
  }

  /**
   * What a run came to.
   *
   * @param readings what was stored at each checkpoint
   * @param lostSteps steps that a live checkpoint or a rank needed, and that were not there
   */
  record Outcome(List<Reading> readings, NavigableSet<Long> lostSteps) {
    long peakBytes() {
      return readings.stream()
          .mapToLong(reading -> Math.max(reading.bytesBefore(), reading.bytesAfter()))
          .max()
          .orElse(0);
    }
  }

  /** Trains all steps. */
  Outcome run(String name) throws IOException, InterruptedException {
    String place = root.toUri() + DURABILITY;
    try (Namespace stream = Lakestream.create(place, MESH);
        FileStore files = FileStore.open(root, Durability.NONE, Environment.system());
        Crew crew = new Crew(MESH.cells() + 1)) {
      CountDownLatch open = new CountDownLatch(PRODUCERS);
      Generation generation = stream.lifecycle().start(GROUP, MESH.cells(), 0);
      for (int i = 0; i < PRODUCERS; i++) {
        int index = i;
        crew.start("producer-" + i, () -> produce(place, index, open));
      }
      for (int i = 0; i < MESH.cells(); i++) {
        Rank rank = new Rank(settings, place, generation, i, lostSteps);
        crew.start("rank-" + i, () -> rank.train(crew));
      }
      for (long step = CHECKPOINT_STEPS; step <= settings.steps(); step += CHECKPOINT_STEPS) {
        progress.stage("%s, step %,d of %,d".formatted(name, step, settings.steps()));
        crew.meet(); // All ranks have read to the checkpoint.
        crew.meet(); // And they have reported it.
        awaitProducers(stream.view(), settings.oldestKept(step), crew);
        look(stream, files, step);
      }
      crew.join();
    }
    return new Outcome(readings, lostSteps);
  }

  /** Producers begin together, as a launcher's do: one alone would take all of the lag. */
  private void produce(String place, int index, CountDownLatch open) throws InterruptedException {
    try (Namespace stream = Lakestream.open(place);
        Producer producer =
            stream.producer("packer-" + index, HELD_BACK, PublicationListener.none())) {
      open.countDown();
      open.await();
      for (long i = index; i < settings.steps(); i += PRODUCERS) {
        producer.write(batch(i), Long.toString(i));
      }
    }
  }

  private Tgb batch(long number) {
    RawTgbBuilder tgb = Tgb.raw(MESH);
    int sliceBytes = settings.tgbBytes() / MESH.cells();
    for (int i = 0; i < MESH.cells(); i++) {
      Cell cell = MESH.cell(i);
      tgb.slice(cell.d(), cell.c(), ByteBuffer.allocate(sliceBytes).putLong(0, number));
    }
    return tgb.build();
  }

  /** What is stored is most when the producers are as far ahead as the lag lets them. */
  private void awaitProducers(StreamView view, long needed, Crew crew)
      throws IOException, InterruptedException {
    long wanted = Math.min(settings.steps(), needed + LAG_MAX);
    long begin = System.nanoTime();
    while (view.summary().nextStep() < wanted) {
      crew.requireSound();
      if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(FILLING_SECONDS_MAX)) {
        throw new IOException(
            "the producers did not get to step %d in %d seconds; let less run beside the benchmark"
                .formatted(wanted, FILLING_SECONDS_MAX));
      }
      Thread.sleep(PAUSE_MILLIS);
      view.refresh();
    }
  }

  private void look(Namespace stream, FileStore files, long step)
      throws IOException, InterruptedException {
    long before = StoredData.list(files).bytes();
    pass.run(stream);
    StreamView view = stream.view();
    StoredData data = StoredData.list(files);
    readings.add(new Reading(step, before, data.bytes()));
    lostSteps.addAll(data.lacking(view));
    for (long i = settings.oldestKept(step); i < view.summary().firstStep(); i++) {
      lostSteps.add(i);
    }
  }
}
