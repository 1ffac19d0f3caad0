// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.io;

import io.lakestream.Consumer;
import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.bench.Progress;
import io.lakestream.bench.WorkFolder;
import io.lakestream.model.Cell;
import io.lakestream.model.Cursor;
import io.lakestream.model.Mesh;
import io.lakestream.model.PublicationListener;
import io.lakestream.model.RankBatch;
import io.lakestream.model.RawTgbBuilder;
import io.lakestream.model.SealMode;
import io.lakestream.model.Tgb;
import io.lakestream.model.Topology;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.policy.PolicyStart;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.store.StoreMetrics;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Counts what a rank of a wide mesh, which reads small slices, reads besides its slices: the
 * namespace's record, manifests, segments, index nodes, hint and boundaries, and of the slices
 * themselves the checksums. Bytes are counted, so the figures are the same on every machine.
 */
final class Metadata {
  private static final Mesh MESH = new Mesh(16, 8);

  /** 128 slices of this length make 100 KB. */
  private static final int SLICE_BYTES = 782;

  /** Each of these ranks reads the whole stream; all slices are equally long, so these will do. */
  private static final List<Integer> RANKS = List.of(0, 63, 127);

  private static final int LIVE_HISTORY_STEPS = 300;

  /** The builds force nothing to the disk: what is measured here is not time. */
  private static final String DURABILITY = "?durability=none";

  private final IoSettings settings;
  private final Progress progress;
  private final WorkFolder work;

  Metadata(IoSettings settings, Progress progress, WorkFolder work) {
    this.settings = settings;
    this.progress = progress;
    this.work = work;
  }

  IoFigure measure() throws IOException, InterruptedException {
    double amplification = amplification();
    double perVersion = bytesPerVersion();
    int tgbBytes = MESH.cells() * SLICE_BYTES;
    return IoFigure.ofMetadata(tgbBytes, MESH.cells(), amplification, perVersion);
  }

  private String place(String name) {
    return work.resolve(name).toUri() + DURABILITY;
  }

  private double amplification() throws IOException, InterruptedException {
    int steps = settings.longSteps();
    String place = place("long");
    work.requireRoom(2L * steps * MESH.cells() * SLICE_BYTES);
    progress.stage("read amplification, writing %d steps for 128 ranks".formatted(steps));
    try (Namespace stream = Lakestream.create(place, MESH);
        Producer producer = producer(stream, PolicyStart.dac())) {
      write(producer, 0, steps);
      producer.seal(SealMode.WHEN_ALONE);
    }
    double worst = 0;
    for (int rank : RANKS) {
      progress.stage("read amplification, rank %d".formatted(rank));
      worst = Math.max(worst, amplification(place, MESH.cell(rank), steps));
    }
    WorkFolder.delete(work.resolve("long"));
    return worst;
  }

  private static double amplification(String place, Cell cell, int steps)
      throws IOException, InterruptedException {
    try (Namespace stream = Lakestream.open(place);
        Consumer consumer = stream.consumer(new Topology(MESH, cell))) {
      long sliceBytes = 0;
      long count = 0;
      Optional<RankBatch> batch = consumer.next();
      while (batch.isPresent()) {
        sliceBytes += batch.get().payload().remaining();
        count++;
        batch = consumer.next();
      }
      if (count != steps) {
        throw new IOException("%d of %d steps were read".formatted(count, steps));
      }
      return (double) stream.storeMetrics().total().bytesRead() / sliceBytes;
    }
  }

  /** Every version is published, and then read, before the next. */
  private double bytesPerVersion() throws InterruptedException {
    String place = place("live");
    progress.stage("following live, %d versions".formatted(settings.liveVersions()));
    try (Namespace stream = Lakestream.create(place, MESH);
        Producer producer = producer(stream, PolicyStart.naive())) {
      write(producer, 0, LIVE_HISTORY_STEPS);
      producer.flush();
      Topology rank = new Topology(MESH, MESH.cell(0));
      try (Namespace follower = Lakestream.open(place);
          Consumer consumer = follower.consumer(rank, Cursor.start(follower.uuid()), eager())) {
        for (int step = 0; step < LIVE_HISTORY_STEPS; step++) {
          requireStep(consumer, step);
        }
        StoreMetrics before = follower.storeMetrics();
        long versionBefore = stream.view().summary().version();
        for (int i = 0; i < settings.liveVersions(); i++) {
          write(producer, LIVE_HISTORY_STEPS + i, 1);
          producer.flush();
          requireStep(consumer, LIVE_HISTORY_STEPS + i);
        }
        long versions = stream.view().summary().version() - versionBefore;
        return (double) metadataBytes(follower.storeMetrics().minus(before)) / versions;
      }
    }
  }

  /** The default settings, but for a look for news every millisecond. */
  private static ConsumerSettings eager() {
    return ConsumerSettings.DEFAULT.withPolling(1, 1);
  }

  private static void requireStep(Consumer consumer, long step) throws InterruptedException {
    long found = consumer.next().orElseThrow().step();
    if (found != step) {
      throw new AssertionError("step %d was read, not %d".formatted(found, step));
    }
  }

  private static long metadataBytes(StoreMetrics metrics) {
    return metrics.total().bytesRead()
        - metrics.byArea().getOrDefault("data", StoreMetrics.Counts.NONE).bytesRead();
  }

  private static Producer producer(Namespace stream, PolicyStart policy)
      throws InterruptedException {
    ProducerSettings settings = ProducerSettings.DEFAULT.withPolicy(policy);
    return stream.producer("packer-0000", settings, PublicationListener.none());
  }

  private static void write(Producer producer, long first, int count) throws InterruptedException {
    Payloads payloads = new Payloads(SLICE_BYTES);
    for (long step = first; step < first + count; step++) {
      RawTgbBuilder tgb = Tgb.raw(MESH);
      for (int i = 0; i < MESH.cells(); i++) {
        Cell cell = MESH.cell(i);
        tgb.slice(cell.d(), cell.c(), payloads.of(step));
      }
      producer.write(tgb.build(), "line %d".formatted(1_000_000 + step));
    }
  }
}
