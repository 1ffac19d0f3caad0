// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static io.lakestream.SampleStream.SAMPLE;
import static io.lakestream.SampleStream.TOKENS;
import static io.lakestream.SampleStream.samples;
import static io.lakestream.SampleStream.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.model.Cell;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.CpLayout;
import io.lakestream.model.Cursor;
import io.lakestream.model.DataLoss;
import io.lakestream.model.Mesh;
import io.lakestream.model.RankBatch;
import io.lakestream.model.Schema;
import io.lakestream.model.TensorSpec;
import io.lakestream.model.Topology;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.policy.Remap;
import io.lakestream.runtime.WatchedTasks;
import io.lakestream.store.Body;
import io.lakestream.store.UnreliableStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fetching ahead, rolling back, prices and damage, under a remap. */
final class RemapReadTest {
  private final UnreliableStore store = new UnreliableStore();

  private SampleStream stream(Mesh mesh, CpLayout layout, int blocksPerRank, TensorSpec... specs) {
    return new SampleStream(store, mesh, Schema.of(specs), layout, blocksPerRank);
  }

  private static Mesh data(int replicas) {
    return new Mesh(replicas, 1);
  }

  private static List<List<Integer>> read(Consumer consumer, int steps)
      throws InterruptedException {
    List<List<Integer>> read = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      read.add(samples(consumer.next().orElseThrow()));
    }
    return read;
  }

  @Test
  void aRollBackReadsTheSameAgain() throws Exception {
    try (SampleStream stream =
        stream(data(4), CpLayout.OPAQUE, 2, TOKENS, SAMPLE).sealed(24, (step, d) -> 1 + d)) {
      for (Remap remap : List.of(Remap.KEEP_RANK_BATCH, Remap.KEEP_GLOBAL_BATCH)) {
        for (int ranks : List.of(1, 2, 4, 8)) {
          Cell last = new Cell(ranks - 1, 0);
          try (Consumer consumer = stream.consumer(data(ranks), last, remap, stream.start())) {
            List<List<Integer>> before = read(consumer, 3);
            Cursor saved = consumer.cursor();
            List<List<Integer>> after = read(consumer, 5);
            consumer.seek(saved);
            assertThat(consumer.cursor()).isEqualTo(saved);
            assertThat(read(consumer, 5)).isEqualTo(after);
            consumer.seek(0);
            assertThat(read(consumer, 3)).isEqualTo(before);
            try (Consumer other = stream.consumer(data(ranks), last, remap, saved)) {
              assertThat(read(other, 5)).isEqualTo(after);
            }
          }
        }
      }
    }
  }

  @Test
  void aStepOfSeveralIsHandedOutWhenAllAreThere() throws Exception {
    ConsumerSettings look =
        ConsumerSettings.DEFAULT.until(ConsumerSettings.End.HEAD).remapping(Remap.KEEP_RANK_BATCH);
    try (SampleStream stream = stream(data(1), CpLayout.OPAQUE, 2, SAMPLE);
        Producer producer = stream.producer()) {
      for (int steps = 1; steps <= 6; steps++) {
        stream.write(producer, (step, d) -> 1);
        producer.flush();
        List<Cursor> cursors = new ArrayList<>();
        for (int d = 0; d < 3; d++) {
          Topology job = new Topology(data(3), new Cell(d, 0));
          try (Consumer consumer = stream.namespace.consumer(job, stream.start(), look)) {
            for (int i = 0; i < steps / 3; i++) {
              assertThat(samples(consumer.next().orElseThrow())).containsExactly(3 * i + d);
            }
            assertThat(consumer.next()).isEmpty();
            cursors.add(consumer.cursor());
          }
        }
        assertThat(cursors).containsOnly(cursors.get(0));
        assertThat(cursors.get(0).step()).isEqualTo(steps - steps % 3);
      }
    }
  }

  @Test
  void noMoreIsFetchedThanThePrefetchAllows() throws Exception {
    WatchedTasks tasks = new WatchedTasks();
    try (SampleStream stream =
            stream(data(4), CpLayout.OPAQUE, 2, tokens(2, 16)).sealed(20, (step, d) -> 2);
        Namespace watched = Lakestream.open(store, stream.namespace.place(), tasks.environment())) {
      for (Remap remap : List.of(Remap.KEEP_RANK_BATCH, Remap.KEEP_GLOBAL_BATCH)) {
        for (int ranks : List.of(1, 2, 8)) {
          ConsumerSettings settings =
              ConsumerSettings.DEFAULT.withPrefetch(3, 1 << 20, 4).remapping(remap);
          Topology job = new Topology(data(ranks), new Cell(ranks - 1, 0));
          store.takeCalls();
          try (Consumer consumer = watched.consumer(job, stream.start(), settings)) {
            tasks.awaitIdle();
            assertThat(dataReads()).as("%s %d", remap, ranks).isEqualTo(3);
            assertThat(consumer.next()).isPresent();
            assertThat(consumer.next()).isPresent();
            tasks.awaitIdle();
            assertThat(dataReads()).isEqualTo(2);
          }
        }
      }
    }
  }

  private long dataReads() {
    return store.takeCalls().stream().filter(call -> call.startsWith("readRange data/")).count();
  }

  /** Reads of data for opening a job's cell and then for each of three steps. */
  private void assertCosts(SampleStream stream, Mesh job, Cell cell, Remap remap, int... costs)
      throws Exception {
    ConsumerSettings settings =
        ConsumerSettings.DEFAULT.withPrefetch(1, 1 << 20, 1).remapping(remap);
    WatchedTasks tasks = new WatchedTasks();
    // Closing it would close the store, which has more to do.
    Namespace watched = Lakestream.open(store, stream.namespace.place(), tasks.environment());
    store.takeCalls();
    try (Consumer consumer = watched.consumer(new Topology(job, cell), stream.start(), settings)) {
      tasks.awaitIdle();
      String what = "%s %s %s".formatted(job, cell, remap);
      assertThat(dataReads()).as(what).isEqualTo(costs[0] + costs[1]);
      for (int i = 0; i < 3; i++) {
        assertThat(consumer.next()).as(what).isPresent();
        tasks.awaitIdle();
        assertThat(dataReads()).as(what).isEqualTo(i < 2 ? costs[1] : 0);
      }
    }
  }

  @Test
  void aCutIsTheFooterAndOneOrTwoRanges() throws Exception {
    try (SampleStream stream =
        stream(data(1), CpLayout.CONTIGUOUS, 8, TOKENS).sealed(3, (step, d) -> 2)) {
      for (int c = 0; c < 4; c++) {
        assertCosts(stream, new Mesh(1, 4), new Cell(0, c), Remap.KEEP_RANK_BATCH, 1, 2);
      }
    }
  }

  @Test
  void aZigzagCutIsTwoRangesOnTheOutsideAndOneInside() throws Exception {
    try (SampleStream stream =
        stream(new Mesh(1, 2), CpLayout.ZIGZAG, 4, TOKENS).sealed(3, (step, d) -> 2)) {
      for (int c = 0; c < 4; c++) {
        int ranges = c % 2 == 0 ? 2 : 1;
        Cell cell = new Cell(0, c);
        assertCosts(stream, new Mesh(1, 4), cell, Remap.KEEP_RANK_BATCH, 1, 1 + ranges);
      }
    }
  }

  @Test
  void otherTensorsAreOneMoreRangeUnlessTheyLieBesideTheBlocks() throws Exception {
    try (SampleStream stream =
        stream(new Mesh(1, 2), CpLayout.ZIGZAG, 4, TOKENS, SAMPLE).sealed(3, (step, d) -> 2)) {
      for (int c = 0; c < 4; c++) {
        assertCosts(stream, new Mesh(1, 4), new Cell(0, c), Remap.KEEP_RANK_BATCH, 1, 3);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CONTIGUOUS", "ZIGZAG"})
  void joinedSequencesAreOneRangeAndNoFooter(CpLayout layout) throws Exception {
    try (SampleStream stream =
        stream(new Mesh(2, 4), layout, 2, TOKENS, SAMPLE).sealed(3, (step, d) -> 2)) {
      for (Remap remap : List.of(Remap.KEEP_RANK_BATCH, Remap.KEEP_GLOBAL_BATCH)) {
        assertCosts(stream, new Mesh(2, 1), new Cell(1, 0), remap, 0, 1);
        assertCosts(stream, new Mesh(2, 2), new Cell(0, 1), remap, 0, 1);
      }
    }
  }

  @Test
  void dealtRowsOfAFixedNumberAreOneRange() throws Exception {
    try (SampleStream stream =
        stream(data(4), CpLayout.OPAQUE, 2, tokens(2, 16)).sealed(3, (step, d) -> 2)) {
      for (int ranks : List.of(1, 2, 3, 8)) {
        Cell last = new Cell(ranks - 1, 0);
        assertCosts(stream, data(ranks), last, Remap.KEEP_GLOBAL_BATCH, 0, 1);
      }
    }
  }

  @Test
  void dealtRowsWhoseNumberVariesTakeTheFooterToo() throws Exception {
    try (SampleStream stream =
        stream(data(4), CpLayout.OPAQUE, 2, TOKENS).sealed(3, (step, d) -> 2)) {
      assertCosts(stream, data(3), new Cell(1, 0), Remap.KEEP_GLOBAL_BATCH, 1, 2);
    }
  }

  private void flip(SampleStream stream, long step, int at) throws Exception {
    String key = stream.namespace.view().step(step).objects().get(0);
    long offset = stream.namespace.view().step(step).objectOffset();
    byte[] bytes = Body.of(store.read(key).orElseThrow()).toArray();
    bytes[Math.toIntExact(offset) + at] ^= 1;
    store.put(key, Body.of(bytes));
  }

  @Test
  void aFlippedBitIsFoundByTheRanksThatReadIt() throws Exception {
    try (SampleStream stream =
        stream(data(1), CpLayout.CONTIGUOUS, 4, TOKENS).sealed(2, (step, d) -> 2)) {
      flip(stream, 1, 32);
      Mesh two = new Mesh(1, 2);
      try (Consumer first =
              stream.consumer(two, new Cell(0, 0), Remap.KEEP_RANK_BATCH, stream.start());
          Consumer second =
              stream.consumer(two, new Cell(0, 1), Remap.KEEP_RANK_BATCH, stream.start())) {
        assertThat(first.next()).isPresent();
        assertThatExceptionOfType(CorruptObject.class)
            .isThrownBy(first::next)
            .withMessageContaining("crc32c");
        assertThat(second.next()).isPresent();
        assertThat(second.next()).isPresent();
      }
    }
  }

  @Test
  void aMissingObjectIsDataLoss() throws Exception {
    try (SampleStream stream = stream(data(2), CpLayout.ZIGZAG, 4, TOKENS)) {
      try (Producer producer = stream.producer()) {
        for (int i = 0; i < 2; i++) {
          stream.write(producer, (step, d) -> 2);
          producer.flush();
        }
      }
      String key = stream.namespace.view().step(1).objects().get(0);
      assertThat(store.delete(List.of(key))).isEmpty();
      for (Mesh job : List.of(new Mesh(2, 2), data(3))) {
        try (Consumer consumer =
            stream.consumer(job, new Cell(0, 0), Remap.KEEP_GLOBAL_BATCH, stream.start())) {
          assertThat(consumer.next()).isPresent();
          assertThatExceptionOfType(DataLoss.class)
              .isThrownBy(consumer::next)
              .withMessageContaining(key);
        }
      }
    }
  }

  @Test
  void slicesOfManyLengthsAreFoundThroughTheFooter() throws Exception {
    try (SampleStream stream =
        stream(new Mesh(40, 2), CpLayout.ZIGZAG, 2, TOKENS, SAMPLE)
            .sealed(1, (step, d) -> 1 + d % 7)) {
      var kept = stream.read(new Mesh(40, 1), Remap.KEEP_RANK_BATCH, stream.start(), 1);
      assertThat(kept.steps().get(0))
          .extracting(SampleStream::samples)
          .isEqualTo(stream.steps.get(0));
      var dealt = stream.read(new Mesh(13, 1), Remap.KEEP_GLOBAL_BATCH, stream.start(), 1);
      List<RankBatch> ranks = dealt.steps().get(0);
      assertThat(ranks)
          .extracting(SampleStream::samples)
          .isEqualTo(RemapPropertyTest.arraySplit(stream.samples(0), 13));
    }
  }
}
