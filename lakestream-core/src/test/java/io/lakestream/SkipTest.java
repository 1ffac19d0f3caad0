// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static io.lakestream.SampleStream.SCHEMA;
import static io.lakestream.SampleStream.samples;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.model.Cell;
import io.lakestream.model.CpLayout;
import io.lakestream.model.Cursor;
import io.lakestream.model.Generation;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.RankBatch;
import io.lakestream.model.SealMode;
import io.lakestream.model.SkippedRange;
import io.lakestream.model.StepReclaimed;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.policy.ReclaimSettings;
import io.lakestream.policy.Remap;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.UnreliableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Ranks of a start skip what was recorded before it, whatever their mesh, and nothing else. */
final class SkipTest {
  private static final Mesh FOUR = new Mesh(4, 1);
  private static final int SEEDS = 60;

  private final MemoryStore store = new MemoryStore();

  private SampleStream stream(int steps) throws InterruptedException {
    return new SampleStream(store, FOUR, SCHEMA, CpLayout.OPAQUE, 2)
        .sealed(steps, (step, d) -> 2 + d % 2);
  }

  private static ConsumerSettings settings(SampleStream stream, Remap remap) {
    Generation start = stream.namespace.lifecycle().start("train", 1, 0);
    return ConsumerSettings.DEFAULT.remapping(remap).startedAs(start);
  }

  private static Cursor at(SampleStream stream, long step, int part) {
    return new Cursor(stream.namespace.uuid(), 0, step, part);
  }

  private static List<Long> steps(SampleStream.Read read) {
    return read.steps().stream().map(ranks -> ranks.get(0).step()).toList();
  }

  private static void assertRefused(SampleStream stream, Mesh job, String... messages) {
    ConsumerSettings settings = settings(stream, Remap.KEEP_RANK_BATCH);
    for (int i = 0; i < job.cells(); i++) {
      Cell cell = job.cell(i);
      var thrown =
          assertThatExceptionOfType(InvalidRequest.class)
              .isThrownBy(() -> stream.consumer(job, cell, settings, stream.start()));
      for (String message : messages) {
        thrown.withMessageContaining(message);
      }
    }
  }

  @Test
  void aStartSkipsWhatWasRecordedBeforeItAndAnEarlierOneDoesNot() throws Exception {
    try (SampleStream stream = stream(12)) {
      ConsumerSettings before = settings(stream, Remap.NONE);
      assertThat(stream.namespace.skip(3, 6, "duplicated shard")).isPresent();
      ConsumerSettings between = settings(stream, Remap.NONE);
      assertThat(stream.namespace.skip(0, 1, "empty")).isPresent();
      ConsumerSettings after = settings(stream, Remap.NONE);
      assertThat(steps(stream.read(FOUR, before, stream.start(), 99))).hasSize(12);
      assertThat(steps(stream.read(FOUR, between, stream.start(), 4)))
          .containsExactly(0L, 1L, 2L, 6L);
      assertThat(steps(stream.read(FOUR, after, stream.start(), 4)))
          .containsExactly(1L, 2L, 6L, 7L);
      assertThat(steps(stream.read(FOUR, Remap.NONE, stream.start(), 99)))
          .as("no start, no skips")
          .hasSize(12);
    }
  }

  @Test
  void aCursorBeforeInsideOrBehindARangeGoesOnBehindIt() throws Exception {
    try (SampleStream stream = stream(12)) {
      assertThat(stream.namespace.skip(3, 6, "bad")).isPresent();
      ConsumerSettings settings = settings(stream, Remap.NONE);
      for (long step : List.of(3L, 4L, 5L, 6L)) {
        var read = stream.read(FOUR, settings, at(stream, step, 0), 1);
        assertThat(steps(read)).containsExactly(6L);
        assertThat(read.cursor().step()).isEqualTo(7);
      }
      var read = stream.read(FOUR, settings, at(stream, 2, 0), 1);
      assertThat(steps(stream.read(FOUR, settings, read.cursor(), 1))).containsExactly(6L);
    }
  }

  @Test
  void theVersionThatAStartNamesMayBeGone() throws Exception {
    try (SampleStream stream = stream(40)) {
      assertThat(stream.namespace.skip(20, 30, "bad")).isPresent();
      ConsumerSettings settings = settings(stream, Remap.NONE);
      assertThat(stream.namespace.skip(35, 36, "later")).isPresent();
      for (int i = 0; i < 5; i++) {
        assertThat(stream.namespace.skip(10 + i, 11 + i, "trimmed below")).isPresent();
      }
      assertThat(stream.namespace.lifecycle().remove("train")).isTrue();
      assertThat(stream.namespace.lifecycle().pin(18, "checkpoint").step()).isEqualTo(18);
      var reclaimed = stream.namespace.lifecycle().reclaim(ReclaimSettings.DEFAULT.keeping(1));
      assertThat(reclaimed.firstStep()).isEqualTo(18);
      assertThat(stream.namespace.view().version(settings.skipsUpTo())).isEmpty();
      assertThat(stream.namespace.view().skips())
          .extracting(SkippedRange::first)
          .containsExactly(20L, 35L);
      var read = stream.read(FOUR, settings, at(stream, 18, 0), 99);
      assertThat(steps(read)).startsWith(18L, 19L, 30L).contains(35L).hasSize(12);
      assertThatExceptionOfType(StepReclaimed.class)
          .isThrownBy(() -> stream.read(FOUR, settings, at(stream, 12, 0), 1));
    }
  }

  @Test
  void aSealedEndInsideARangeIsTheSameOnAllRanks() throws Exception {
    try (SampleStream stream = stream(12)) {
      assertThat(stream.namespace.skip(9, 12, "bad")).isPresent();
      for (int ranks : List.of(1, 2, 4, 8)) {
        for (Remap remap : List.of(Remap.KEEP_RANK_BATCH, Remap.KEEP_GLOBAL_BATCH)) {
          ConsumerSettings settings = settings(stream, remap);
          Cursor start = at(stream, 1, 0);
          var read = stream.read(new Mesh(ranks, 1), settings, start, 99);
          int each = remap == Remap.KEEP_RANK_BATCH ? ranks : 4;
          assertThat(read.steps()).as("%s by %d", remap, ranks).hasSize(8 * 4 / each);
          assertThat(read.cursor().step()).isEqualTo(9);
          var rest = stream.read(new Mesh(ranks, 1), settings, read.cursor(), 99);
          assertThat(rest.steps()).isEmpty();
        }
      }
    }
  }

  @Test
  void aPartOfAStepOfTheJobIsNotSkipped() throws Exception {
    try (SampleStream stream = stream(24)) {
      assertThat(stream.namespace.skip(3, 6, "bad")).isPresent();
      assertRefused(stream, new Mesh(8, 1), "steps 3 to 5 are", "takes 2", "skip steps 2 to 5 and");
      assertRefused(stream, new Mesh(16, 1), "steps 3 to 5 are", "skip steps 0 to 7 and");
      ConsumerSettings shifted = settings(stream, Remap.KEEP_RANK_BATCH);
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> stream.read(new Mesh(8, 1), shifted, at(stream, 1, 0), 1))
          .withMessageContaining("counted from step 1; skip steps 3 to 6 and");
      var read = stream.read(new Mesh(8, 1), shifted, at(stream, 6, 0), 1);
      assertThat(steps(read)).as("what lies before does not matter").containsExactly(6L);
      assertThat(stream.namespace.skip(2, 4, "the neighbours too")).isPresent();
      ConsumerSettings whole = settings(stream, Remap.KEEP_RANK_BATCH);
      read = stream.read(new Mesh(8, 1), whole, stream.start(), 99);
      assertThat(steps(read)).startsWith(0L, 6L, 8L).hasSize(10);
      assertRefused(stream, new Mesh(16, 1), "steps 2 to 5 are", "skip steps 0 to 7 and");
    }
  }

  @Test
  void aStepThatIsReadInPartsIsSkippedWithAllOfThem() throws Exception {
    try (SampleStream stream = stream(6)) {
      assertThat(stream.namespace.skip(2, 4, "bad")).isPresent();
      ConsumerSettings settings = settings(stream, Remap.KEEP_RANK_BATCH);
      var read = stream.read(new Mesh(2, 1), settings, at(stream, 1, 2), 2);
      assertThat(steps(read)).containsExactly(1L, 4L);
      read = stream.read(new Mesh(1, 1), settings, at(stream, 3, 3), 2);
      assertThat(steps(read)).containsExactly(4L, 4L);
      assertThat(samples(read.steps().get(1).get(0))).isEqualTo(stream.steps.get(4).get(1));
      assertThat(read.cursor()).extracting(Cursor::step, Cursor::part).containsExactly(4L, 2);
    }
  }

  @Test
  void stepsWhoseBytesAreGoneAreNotMissed() throws Exception {
    try (Namespace stream = Streams.sealed(store, 10, Streams.APART)) {
      var unused = store.delete(stream.view().step(0).objects());
      unused = store.delete(stream.view().step(5).objects());
      assertThat(stream.skip(0, 1, "lost")).isPresent();
      assertThat(stream.skip(5, 6, "lost")).isPresent();
      Generation start = stream.lifecycle().start("train", 1, 0);
      ConsumerSettings settings = ConsumerSettings.DEFAULT.startedAs(start);
      Consumer consumer = stream.consumer(Streams.FIRST, Cursor.start(stream.uuid()), settings);
      assertThat(Streams.readAll(consumer)).hasSize(8).startsWith("p 1 (0,0)");
    }
  }

  @Test
  void aStepThatCannotBeDealtIsNotLookedAtIfItIsSkipped() throws Exception {
    try (SampleStream stream =
        new SampleStream(store, FOUR, SCHEMA, CpLayout.OPAQUE, 2)
            .sealed(4, (step, d) -> step == 0 || step == 3 ? 1 : 2)) {
      Mesh six = new Mesh(6, 1);
      ConsumerSettings none = settings(stream, Remap.KEEP_GLOBAL_BATCH);
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> stream.read(six, none, stream.start(), 1))
          .withMessageContaining("step 0");
      assertThat(stream.namespace.skip(0, 1, "too few rows")).isPresent();
      assertThat(stream.namespace.skip(3, 4, "too few rows")).isPresent();
      ConsumerSettings settings = settings(stream, Remap.KEEP_GLOBAL_BATCH);
      assertThat(steps(stream.read(six, settings, stream.start(), 99))).containsExactly(1L, 2L);
      assertThat(steps(stream.read(six, settings, at(stream, 3, 0), 99))).isEmpty();
    }
  }

  @Test
  void aStartAheadOfTheStreamIsRefused() throws Exception {
    try (SampleStream stream = stream(2)) {
      long head = stream.namespace.view().summary().version();
      Generation ahead = new Generation("train", 1, 1, 0, head + 1);
      ConsumerSettings settings = ConsumerSettings.DEFAULT.startedAs(ahead);
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> stream.consumer(FOUR, new Cell(0, 0), settings, stream.start()))
          .withMessageContaining("ahead of the stream's " + head);
    }
  }

  @Test
  void whatIsRecordedIsSeenAndNotRecordedTwice() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> stream.skip(0, 1, "nothing is there"))
          .withMessageContaining("ends before step 0");
      try (Producer producer = Streams.producer(stream, "p")) {
        for (int i = 0; i < 10; i++) {
          producer.write(Streams.batch("p", i), "");
        }
        producer.seal(SealMode.WHEN_ALONE);
      }
      SkippedRange range = stream.skip(2, 5, "bad").orElseThrow();
      assertThat(range).isEqualTo(new SkippedRange(2, 5, stream.view().summary().version(), "bad"));
      assertThat(stream.skip(3, 4, "bad again")).isEmpty();
      assertThat(stream.skip(4, 6, "more")).isPresent();
      assertThat(stream.view().skips()).extracting(SkippedRange::end).containsExactly(5L, 6L);
      assertThat(stream.view().summary().skippedSteps()).isEqualTo(4);
      assertThat(stream.view().version(range.version()).orElseThrow().kind()).isEqualTo("skip");
    }
  }

  @Test
  void readingWithSkipsTakesNoMoreRequestsThanWithout() throws Exception {
    UnreliableStore watched = new UnreliableStore();
    try (Namespace stream = Streams.sealed(watched, 300, Streams.APART)) {
      assertThat(stream.skip(100, 110, "bad")).isPresent();
      Generation start = stream.lifecycle().start("train", 1, 0);
      ConsumerSettings settings = ConsumerSettings.DEFAULT.withPrefetch(4, 1 << 20, 1);
      List<Integer> counts = new ArrayList<>();
      for (ConsumerSettings one : List.of(settings, settings.startedAs(start))) {
        watched.takeCalls();
        Consumer consumer = stream.consumer(Streams.FIRST, Cursor.start(stream.uuid()), one);
        assertThat(Streams.readAll(consumer)).isNotEmpty();
        counts.add(watched.takeCalls().size());
      }
      assertThat(counts.get(1)).isEqualTo(counts.get(0) - 10);
    }
  }

  @Test
  void everyRankOfAnyJobGetsWhatTheModelSays() throws Exception {
    int refused = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      try (SampleStream stream =
          new SampleStream(new MemoryStore(), FOUR, SCHEMA, CpLayout.OPAQUE, 2)
              .sealed(1 + random.nextInt(24), (step, d) -> 4)) {
        refused += assertAsModelled(stream, random, "seed " + seed) ? 0 : 1;
      }
    }
    assertThat(refused).isBetween(SEEDS / 20, SEEDS / 2);
  }

  /** Whether it was read at all. */
  private static boolean assertAsModelled(SampleStream stream, Random random, String what)
      throws InterruptedException {
    int size = stream.steps.size();
    TreeSet<Integer> skipped = new TreeSet<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      int first = random.nextInt(size);
      int end = first + 1 + random.nextInt(Math.min(6, size - first));
      var unused = stream.namespace.skip(first, end, "bad");
      SampleStream.range(first, end - 1).forEach(skipped::add);
    }
    Remap remap = random.nextBoolean() ? Remap.KEEP_RANK_BATCH : Remap.KEEP_GLOBAL_BATCH;
    Mesh job = new Mesh(1 << random.nextInt(5), 1);
    int taken = remap == Remap.KEEP_RANK_BATCH ? Math.max(1, job.dataParallel() / 4) : 1;
    int origin = random.nextInt(size + 1);
    String text = "%s: %s by %s from %d of %d without %s";
    String all = text.formatted(what, remap, job, origin, size, skipped);
    ConsumerSettings settings = settings(stream, remap);
    Optional<List<Integer>> expected = expected(stream, skipped, origin, taken);
    if (expected.isEmpty()) {
      assertThatExceptionOfType(InvalidRequest.class)
          .as(all)
          .isThrownBy(() -> stream.read(job, settings, at(stream, origin, 0), 99));
      return false;
    }
    List<Integer> read = new ArrayList<>();
    Cursor cursor = at(stream, origin, 0);
    int count = 1;
    while (count > 0) {
      var some = stream.read(job, settings, cursor, 1 + random.nextInt(4));
      for (List<RankBatch> ranks : some.steps()) {
        ranks.forEach(batch -> read.addAll(samples(batch)));
      }
      count = some.steps().size();
      cursor = some.cursor();
    }
    assertThat(read).as(all).isEqualTo(expected.get());
    return true;
  }

  /** The samples that a job gets, or empty if it would skip a part of one of its steps. */
  private static Optional<List<Integer>> expected(
      SampleStream stream, Set<Integer> skipped, int origin, int taken) {
    List<Integer> expected = new ArrayList<>();
    int size = stream.steps.size();
    for (int step = origin; step < size; step += taken) {
      List<Integer> own = SampleStream.range(step, Math.min(size, step + taken) - 1);
      long bad = own.stream().filter(skipped::contains).count();
      if (bad > 0 && bad < own.size()) {
        return Optional.empty();
      }
      if (bad == 0 && own.size() == taken) {
        own.forEach(one -> expected.addAll(stream.samples(one)));
      }
    }
    return Optional.of(expected);
  }
}
