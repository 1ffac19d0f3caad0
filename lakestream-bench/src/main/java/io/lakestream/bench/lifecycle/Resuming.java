// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.lifecycle;

import io.lakestream.Consumer;
import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.bench.commit.History;
import io.lakestream.format.FormatLimits;
import io.lakestream.format.SegmentTree;
import io.lakestream.model.Cursor;
import io.lakestream.model.Topology;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.runtime.Environment;
import io.lakestream.store.FileStore;
import io.lakestream.store.FileStore.Durability;
import io.lakestream.store.StoreMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Opens a stream with a long history at a cursor, and counts what that takes up to the first batch.
 * A consumer goes on reading after it, and what it plans it looks up beside the reading, so its
 * prefetch is of one step, and {@link LatchedStore} makes the count the same each time.
 */
final class Resuming {
  private static final long SLICE_BYTES_MAX = 1 << 20;

  private final Path root;
  private final Map<String, Long> places;

  private Resuming(Path root, Map<String, Long> places) {
    this.root = root;
    this.places = places;
  }

  /** A new stream below {@code root} with a history of {@code steps} steps. */
  static Resuming build(Path root, long steps) throws IOException {
    Map<String, Long> places = places(steps);
    try (FileStore store = open(root);
        Namespace created =
            Lakestream.create(store, place(root), History.MESH, Environment.system())) {
      History.write(store, created.uuid(), steps, Set.copyOf(places.values()));
    }
    return new Resuming(root, places);
  }

  private static String place(Path root) {
    return root.toUri().toString();
  }

  private static FileStore open(Path root) throws IOException {
    return FileStore.open(root, Durability.NONE, Environment.system());
  }

  /** Steps that are found in different ways, all but the last in the middle. */
  private static Map<String, Long> places(long steps) {
    long segment = FormatLimits.SEGMENT_STEPS;
    long node = SegmentTree.width(1);
    long first = steps / 2 / node * node;
    Map<String, Long> places = new LinkedHashMap<>();
    places.put("first child of an index node", first);
    places.put("just behind a segment boundary", first + node / 2);
    places.put("just before a segment boundary", first + node / 2 - 1);
    places.put("last child of an index node", first + node - segment + 1);
    places.put("last step of an index node", first + node - 1);
    places.put("tail", steps - 2);
    return places;
  }

  /** All places, with a cursor that has a version and with one that has none. */
  List<ResumeFigure> measure() throws IOException, InterruptedException {
    List<ResumeFigure> figures = new ArrayList<>();
    for (Map.Entry<String, Long> place : places.entrySet()) {
      long step = place.getValue();
      for (long version : new long[] {step == 0 ? 0 : History.version(step - 1), 0}) {
        StoreMetrics.Counts counts = resume(step, version);
        figures.add(
            new ResumeFigure(place.getKey(), step, version, counts.requests(), counts.bytesRead()));
      }
    }
    return figures;
  }

  private StoreMetrics.Counts resume(long step, long version)
      throws IOException, InterruptedException {
    Topology rank = new Topology(History.MESH, History.MESH.cell(1));
    ConsumerSettings oneAhead = ConsumerSettings.DEFAULT.withPrefetch(1, SLICE_BYTES_MAX, 1);
    LatchedStore store = new LatchedStore(open(root));
    try (Namespace stream = Lakestream.open(store, place(root), Environment.system())) {
      Cursor cursor = new Cursor(stream.uuid(), version, step, 0);
      try (Consumer consumer = stream.consumer(rank, cursor, oneAhead)) {
        long found = consumer.next().orElseThrow().step();
        StoreMetrics.Counts counts = stream.storeMetrics().total();
        store.release();
        if (found != step) {
          throw new AssertionError("step %d was read, not %d".formatted(found, step));
        }
        return counts;
      } finally {
        store.release();
      }
    }
  }
}
