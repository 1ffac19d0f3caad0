// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.model.Cell;
import io.lakestream.model.Cursor;
import io.lakestream.model.Mesh;
import io.lakestream.model.PublicationListener;
import io.lakestream.model.RankBatch;
import io.lakestream.model.SealMode;
import io.lakestream.model.Tgb;
import io.lakestream.model.Topology;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.policy.PolicyStart;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.runtime.Environment;
import io.lakestream.store.MemoryStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The stream from end to end in one process: what is written is read, once and in order. */
final class StreamTest {
  private static final Mesh MESH = new Mesh(2, 2);

  private static Namespace create() {
    return Lakestream.create(new MemoryStore(), "memory:///test", MESH, Environment.system());
  }

  static Tgb batch(String producer, int number) {
    var builder = Tgb.raw(MESH);
    for (int i = 0; i < MESH.cells(); i++) {
      Cell cell = MESH.cell(i);
      String text = producer + " " + number + " " + cell;
      builder.slice(cell.d(), cell.c(), ByteBuffer.wrap(text.getBytes(UTF_8)));
    }
    return builder.build();
  }

  private static String text(RankBatch batch) {
    return UTF_8.decode(batch.payload()).toString();
  }

  private static List<String> readAll(Namespace stream, Cell cell) throws InterruptedException {
    List<String> read = new ArrayList<>();
    try (Consumer consumer = stream.consumer(new Topology(MESH, cell))) {
      Optional<RankBatch> batch = consumer.next();
      while (batch.isPresent()) {
        assertThat(batch.get().step()).isEqualTo(read.size());
        read.add(text(batch.get()));
        batch = consumer.next();
      }
    }
    return read;
  }

  @Test
  void everyRankReadsItsSliceOfEveryStepInOrder() throws InterruptedException {
    try (Namespace stream = create()) {
      ProducerSettings settings = ProducerSettings.DEFAULT.withPolicy(PolicyStart.naive());
      try (Producer producer = stream.producer("p", settings, PublicationListener.none())) {
        for (int i = 0; i < 1_000; i++) {
          producer.write(batch("p", i), "offset " + i);
        }
        producer.seal(SealMode.WHEN_ALONE);
      }
      for (int i = 0; i < MESH.cells(); i++) {
        Cell cell = MESH.cell(i);
        List<String> read = readAll(stream, cell);
        assertThat(read).hasSize(1_000);
        for (int n = 0; n < 1_000; n++) {
          assertThat(read.get(n)).isEqualTo("p " + n + " " + cell);
        }
      }
    }
  }

  @Test
  void aProducerThatReturnsGoesOnBehindWhatItPublished() throws InterruptedException {
    try (Namespace stream = create()) {
      try (Producer first = stream.producer("p")) {
        assertThat(first.recoveredOffset()).isEmpty();
        first.write(batch("p", 0), "zero");
        first.write(batch("p", 1), "one");
      }
      try (Producer second = stream.producer("p")) {
        assertThat(second.recoveredOffset()).contains("one");
        assertThat(second.recoveredTgbs()).isEqualTo(2);
        second.write(batch("p", 2), "two");
        second.seal(SealMode.WHEN_ALONE);
      }
      assertThat(readAll(stream, new Cell(1, 0)))
          .containsExactly("p 0 (1,0)", "p 1 (1,0)", "p 2 (1,0)");
    }
  }

  @Test
  void aSavedCursorIsTheSameOnEveryRankAndResumesThere() throws InterruptedException {
    try (Namespace stream = create()) {
      try (Producer producer = stream.producer("p")) {
        for (int i = 0; i < 10; i++) {
          producer.write(batch("p", i), Integer.toString(i));
        }
        producer.seal(SealMode.WHEN_ALONE);
      }
      List<Cursor> cursors = new ArrayList<>();
      for (int prefetch : List.of(1, 3, 64)) {
        ConsumerSettings settings = ConsumerSettings.DEFAULT.withPrefetch(prefetch, 1 << 20, 4);
        Topology topology = new Topology(MESH, MESH.cell(prefetch % 4));
        try (Consumer consumer = stream.consumer(topology, Cursor.start(stream.uuid()), settings)) {
          for (int i = 0; i < 4; i++) {
            assertThat(consumer.next()).isPresent();
          }
          cursors.add(Cursor.parse(consumer.cursor().toJson()));
        }
      }
      assertThat(cursors.stream().distinct()).hasSize(1);
      Topology topology = new Topology(MESH, new Cell(0, 1));
      try (Consumer consumer =
          stream.consumer(topology, cursors.get(0), ConsumerSettings.DEFAULT)) {
        assertThat(consumer.next().orElseThrow().step()).isEqualTo(4);
        consumer.seek(9);
        assertThat(text(consumer.next().orElseThrow())).isEqualTo("p 9 (0,1)");
        assertThat(consumer.next()).isEmpty();
      }
    }
  }
}
