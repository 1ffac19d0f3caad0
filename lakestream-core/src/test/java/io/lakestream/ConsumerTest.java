// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static io.lakestream.Streams.FIRST;
import static io.lakestream.Streams.MESH;
import static io.lakestream.Streams.batch;
import static io.lakestream.Streams.consumer;
import static io.lakestream.Streams.producer;
import static io.lakestream.Streams.readAll;
import static io.lakestream.Streams.sealed;
import static io.lakestream.Streams.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.model.Cell;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.CpLayout;
import io.lakestream.model.Cursor;
import io.lakestream.model.DataLoss;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.RankBatch;
import io.lakestream.model.SealMode;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.model.Tgb;
import io.lakestream.model.Topology;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.runtime.Environment;
import io.lakestream.runtime.Tasks;
import io.lakestream.runtime.WatchedTasks;
import io.lakestream.store.Body;
import io.lakestream.store.UnreliableStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A consumer's contract: order, cursors, ends, and what surfaces at which step. */
final class ConsumerTest {
  private final UnreliableStore store = new UnreliableStore();

  private void damage(String key, UnaryOperator<byte[]> change) throws IOException {
    byte[] bytes = Body.of(store.read(key).orElseThrow()).toArray();
    store.put(key, Body.of(change.apply(bytes)));
  }

  private static String onlyObject(Namespace stream, long step) {
    return stream.view().step(step).objects().get(0);
  }

  private void assertFails(
      Namespace stream, int step, Class<? extends Throwable> type, String... messages)
      throws InterruptedException {
    try (Consumer consumer = consumer(stream, 8)) {
      for (int i = 0; i < step; i++) {
        assertThat(consumer.next().orElseThrow().step()).isEqualTo(i);
      }
      for (int call = 0; call < 2; call++) {
        var thrown = assertThatExceptionOfType(type).isThrownBy(consumer::next);
        for (String message : messages) {
          thrown.withMessageContaining(message);
        }
      }
      assertThat(consumer.cursor().step()).as("the failed step does not count").isEqualTo(step);
    }
  }

  private Namespace separateObjects(int count) throws InterruptedException {
    Namespace stream = Streams.create(store);
    try (Producer producer = producer(stream, "p")) {
      for (int i = 0; i < count; i++) {
        producer.write(batch("p", i), "");
        producer.flush();
      }
      producer.seal(SealMode.WHEN_ALONE);
    }
    return stream;
  }

  @Test
  void aFlippedBitOfASliceIsFoundAndNamed() throws Exception {
    try (Namespace stream = separateObjects(4)) {
      String key = onlyObject(stream, 2);
      damage(
          key,
          bytes -> {
            bytes[34] ^= 0x10;
            return bytes;
          });
      assertFails(stream, 2, CorruptObject.class, key, "bytes 32-", "crc32c");
    }
  }

  @Test
  void aTruncatedObjectIsFoundAndNamed() throws Exception {
    try (Namespace stream = separateObjects(4)) {
      String key = onlyObject(stream, 2);
      damage(key, bytes -> Arrays.copyOf(bytes, 40));
      assertFails(stream, 2, CorruptObject.class, key, "cut off");
    }
  }

  @Test
  void anEmptyObjectIsFoundAndNamed() throws Exception {
    try (Namespace stream = separateObjects(2)) {
      String key = onlyObject(stream, 1);
      damage(key, bytes -> new byte[0]);
      assertFails(stream, 1, CorruptObject.class, key, "0 bytes");
    }
  }

  @Test
  void aMissingObjectIsDataLossAndNamed() throws Exception {
    try (Namespace stream = separateObjects(4)) {
      String key = onlyObject(stream, 3);
      assertThat(store.delete(List.of(key))).isEmpty();
      assertFails(stream, 3, DataLoss.class, key, "step 3");
    }
  }

  @Test
  void damagedSegmentsAndManifestsAreFoundAndNamed() throws Exception {
    try (Namespace stream = sealed(store, 700)) {
      String segment =
          store.list("segment/", Optional.empty()).entries().stream()
              .map(entry -> entry.key())
              .filter(key -> key.contains("/00000000000000000128-"))
              .findFirst()
              .orElseThrow();
      damage(
          segment,
          bytes -> {
            bytes[bytes.length / 2] ^= 1;
            return bytes;
          });
      assertFails(stream, 128, CorruptObject.class, segment, "hash");
    }
  }

  @Test
  void slicesOfManyLengthsAreFoundThroughTheFooter() throws Exception {
    Mesh mesh = new Mesh(40, 1);
    try (Namespace stream =
        Lakestream.create(store, "memory:///wide", mesh, Environment.system())) {
      try (Producer producer = producer(stream, "p")) {
        var builder = Tgb.raw(mesh);
        for (int d = 0; d < 40; d++) {
          builder.slice(d, 0, ByteBuffer.wrap(new byte[100 + d * 37]));
        }
        producer.write(builder.build(), "");
        producer.seal(SealMode.WHEN_ALONE);
      }
      for (int d = 0; d < 40; d++) {
        try (Consumer consumer = stream.consumer(new Topology(mesh, new Cell(d, 0)))) {
          assertThat(consumer.next().orElseThrow().payload().remaining()).isEqualTo(100 + d * 37);
          assertThat(consumer.next()).isEmpty();
        }
      }
    }
  }

  @Test
  void aLiveStreamIsFollowedToItsEnd() throws Exception {
    List<String> read = new ArrayList<>();
    try (Namespace stream = Streams.create(store);
        Consumer consumer = consumer(stream, 3)) {
      Thread writer =
          new Thread(
              () -> {
                try (Producer producer = producer(stream, "p")) {
                  for (int i = 0; i < 400; i++) {
                    producer.write(batch("p", i), "");
                  }
                  producer.seal(SealMode.WHEN_ALONE);
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      writer.start();
      read.addAll(readAll(consumer));
      writer.join();
    }
    assertThat(read).hasSize(400);
    assertThat(read.get(399)).isEqualTo("p 399 (0,0)");
  }

  @Test
  void aLookAtWhatIsThereEndsAtTheHead() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer = producer(stream, "p")) {
      producer.write(batch("p", 0), "");
      producer.flush();
      ConsumerSettings look = ConsumerSettings.DEFAULT.until(ConsumerSettings.End.HEAD);
      try (Consumer consumer = stream.consumer(FIRST, Cursor.start(stream.uuid()), look)) {
        assertThat(readAll(consumer)).containsExactly("p 0 (0,0)");
      }
    }
  }

  @Test
  void cursorsThatDoNotFitAreRefused() throws Exception {
    try (Namespace stream = sealed(store, 5)) {
      UUID other = new UUID(7, 7);
      assertRefused(stream, Cursor.start(other), other.toString(), stream.uuid().toString());
      assertRefused(stream, new Cursor(stream.uuid(), 0, 6, 0), "beyond the end", "step 4");
      assertRefused(stream, new Cursor(stream.uuid(), 1_000, 3, 0), "ahead of the stream");
      assertRefused(stream, new Cursor(stream.uuid(), 1, 2, 1), "part 1 of step 2");
      Cursor end = new Cursor(stream.uuid(), 2, 5, 0);
      try (Consumer consumer = stream.consumer(FIRST, end, ConsumerSettings.DEFAULT)) {
        assertThat(consumer.next()).isEmpty();
      }
    }
  }

  private static void assertRefused(Namespace stream, Cursor cursor, String... messages) {
    var thrown =
        assertThatExceptionOfType(InvalidRequest.class)
            .isThrownBy(() -> stream.consumer(FIRST, cursor, ConsumerSettings.DEFAULT));
    for (String message : messages) {
      thrown.withMessageContaining(message);
    }
  }

  @Test
  void aJobOfAnotherMeshIsRefused() {
    try (Namespace stream = Streams.create(store)) {
      Topology wide = new Topology(new Mesh(4, 1), new Cell(3, 0));
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> stream.consumer(wide))
          .withMessageContaining("2x2")
          .withMessageContaining("4x1");
    }
  }

  @Test
  void noMoreIsFetchedThanThePrefetchAllows() throws Exception {
    WatchedTasks tasks = new WatchedTasks();
    try (Namespace stream = separateObjects(20);
        Namespace watched = Lakestream.open(store, stream.place(), tasks.environment())) {
      store.takeCalls();
      try (Consumer consumer = consumer(watched, 3)) {
        tasks.awaitIdle();
        assertThat(fetchedSince()).isEqualTo(3);
        assertThat(consumer.next()).isPresent();
        tasks.awaitIdle();
        assertThat(fetchedSince()).isEqualTo(1);
        assertThat(consumer.next()).isPresent();
        assertThat(consumer.next()).isPresent();
        tasks.awaitIdle();
        assertThat(fetchedSince()).isEqualTo(2);
      }
    }
  }

  @Test
  void aSliceThatTurnsOutToBeLongCountsWithItsLength() throws Exception {
    Mesh mesh = new Mesh(40, 1);
    Topology longest = new Topology(mesh, new Cell(39, 0));
    WatchedTasks tasks = new WatchedTasks();
    try (Namespace stream = Lakestream.create(store, "memory:///wide", mesh, tasks.environment())) {
      try (Producer producer = producer(stream, "p")) {
        for (int i = 0; i < 20; i++) {
          var builder = Tgb.raw(mesh);
          for (int d = 0; d < 39; d++) {
            builder.slice(d, 0, ByteBuffer.allocate(100 + d * 37));
          }
          producer.write(builder.slice(39, 0, ByteBuffer.allocate(100_000)).build(), "");
        }
        producer.seal(SealMode.WHEN_ALONE);
      }
      ConsumerSettings settings = ConsumerSettings.DEFAULT.withPrefetch(20, 150_000, 1);
      var ignored = store.takeCalls();
      try (Consumer consumer = stream.consumer(longest, Cursor.start(stream.uuid()), settings)) {
        assertThat(consumer.next()).isPresent();
        tasks.awaitIdle();
        assertThat(fetchedSince()).as("two slices and their footers").isLessThanOrEqualTo(2 * 3);
        assertThat(readAll(consumer)).hasSize(19);
      }
    }
  }

  /** The slices fetched since the last time. */
  private long fetchedSince() {
    return store.takeCalls().stream().filter(call -> call.startsWith("readRange data/")).count();
  }

  @Test
  void seekingGoesAnywhereAndBack() throws Exception {
    try (Namespace stream = sealed(store, 300);
        Consumer consumer = consumer(stream, 4)) {
      for (long step : List.of(299L, 0L, 150L, 7L)) {
        consumer.seek(step);
        RankBatch batch = consumer.next().orElseThrow();
        assertThat(batch.step()).isEqualTo(step);
        assertThat(text(batch)).isEqualTo("p " + step + " (0,0)");
        assertThat(consumer.cursor().step()).isEqualTo(step + 1);
      }
    }
  }

  @Test
  void closingJoinsTheThreadsAndEndsAWait() throws Exception {
    WatchedTasks tasks = new WatchedTasks();
    try (Namespace stream =
        Lakestream.create(store, "memory:///watched", MESH, tasks.environment())) {
      Consumer consumer = consumer(stream, 3);
      Tasks.Task closer =
          Environment.system().tasks().start("closer", () -> close(consumer, tasks));
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(consumer::next)
          .withMessageContaining("closed while a step was waited for");
      closer.join();
      consumer.close();
      assertThat(Thread.getAllStackTraces().keySet())
          .noneMatch(thread -> thread.getName().startsWith("lakestream-(0,0)"));
      assertThatExceptionOfType(InvalidRequest.class).isThrownBy(consumer::next);
    }
  }

  /** Closes a consumer once somebody waits for its next step. */
  private static void close(Consumer consumer, WatchedTasks tasks) {
    try {
      tasks.awaitIdleWith(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    consumer.close();
  }

  @Test
  void aFailingStoreSurfacesInNext() throws Exception {
    try (Namespace stream = sealed(store, 3)) {
      Consumer consumer = consumer(stream, 1);
      assertThat(consumer.next()).isPresent();
      store.close();
      assertThatExceptionOfType(StoreUnavailable.class)
          .isThrownBy(
              () -> {
                while (consumer.next().isPresent()) {
                  assertThat(consumer.cursor().step()).isLessThan(3);
                }
              });
      consumer.close();
    }
  }

  @Test
  void aConsumerGoesOnWhenTheStoreIsBack() throws Exception {
    try (Namespace stream = separateObjects(6);
        Consumer consumer = consumer(stream, 1)) {
      assertThat(consumer.next()).isPresent();
      store.failReads();
      assertThatExceptionOfType(StoreUnavailable.class)
          .isThrownBy(
              () -> {
                while (consumer.next().isPresent()) {
                  assertThat(consumer.cursor().step()).isLessThan(6);
                }
              });
      store.mendReads();
      long step = consumer.cursor().step();
      assertThat(consumer.next().orElseThrow().step()).isEqualTo(step);
    }
  }

  @Test
  void aSliceLargerThanThePrefetchIsReadAlone() throws Exception {
    try (Namespace stream = separateObjects(5)) {
      ConsumerSettings tight = ConsumerSettings.DEFAULT.withPrefetch(8, 1, 4);
      try (Consumer consumer = stream.consumer(FIRST, Cursor.start(stream.uuid()), tight)) {
        assertThat(readAll(consumer)).hasSize(5);
      }
    }
  }

  @Test
  void aBatchSaysHowItsSequencesAreDealt() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      try (Producer producer = producer(stream, "p")) {
        var builder = Tgb.raw(MESH).cpLayout(CpLayout.ZIGZAG);
        for (int i = 0; i < 4; i++) {
          builder.slice(i / 2, i % 2, ByteBuffer.wrap(new byte[] {1}));
        }
        producer.write(builder.build(), "");
        producer.seal(SealMode.WHEN_ALONE);
      }
      try (Consumer consumer = consumer(stream, 1)) {
        assertThat(consumer.next().orElseThrow().cpLayout()).isEqualTo(CpLayout.ZIGZAG);
      }
    }
  }

  @Test
  void everyCellHasItsOwnSlice() throws Exception {
    try (Namespace stream = sealed(store, 2)) {
      for (int i = 0; i < MESH.cells(); i++) {
        Cell cell = MESH.cell(i);
        try (Consumer consumer = stream.consumer(new Topology(MESH, cell))) {
          assertThat(text(consumer.next().orElseThrow())).isEqualTo("p 0 " + cell);
          assertThat(consumer.metrics().steps()).isEqualTo(1);
        }
      }
    }
  }
}
