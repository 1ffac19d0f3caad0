// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import io.lakestream.store.ObjectStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Small streams for tests. */
final class Streams {
  static final Mesh MESH = new Mesh(2, 2);
  static final Topology FIRST = new Topology(MESH, new Cell(0, 0));
  static final ProducerSettings EAGER = ProducerSettings.DEFAULT.withPolicy(PolicyStart.naive());

  /** Each batch in an object of its own. */
  static final ProducerSettings APART = EAGER.withUploads(2, 1 << 20, 0);

  private Streams() {}

  static Namespace create(ObjectStore store) {
    return Lakestream.create(store, "memory:///test", MESH, Environment.system());
  }

  /** A batch whose slices say who wrote them. */
  static Tgb batch(String producer, int number) {
    return batch(producer, number, 0);
  }

  /** As {@link #batch(String, int)}, with slices that are longer by {@code padding} bytes. */
  static Tgb batch(String producer, int number, int padding) {
    var builder = Tgb.raw(MESH);
    for (int i = 0; i < MESH.cells(); i++) {
      Cell cell = MESH.cell(i);
      String text = producer + " " + number + " " + cell + " ".repeat(padding);
      builder.slice(cell.d(), cell.c(), ByteBuffer.wrap(text.getBytes(UTF_8)));
    }
    return builder.build();
  }

  static String text(RankBatch batch) {
    return UTF_8.decode(batch.payload()).toString();
  }

  static Producer producer(Namespace stream, String id) throws InterruptedException {
    return stream.producer(id, EAGER, PublicationListener.none());
  }

  /** A sealed stream of {@code count} batches of one producer. */
  static Namespace sealed(ObjectStore store, int count) throws InterruptedException {
    return sealed(store, count, EAGER);
  }

  static Namespace sealed(ObjectStore store, int count, ProducerSettings settings)
      throws InterruptedException {
    Namespace stream = create(store);
    try (Producer producer = stream.producer("p", settings, PublicationListener.none())) {
      for (int i = 0; i < count; i++) {
        producer.write(batch("p", i), "offset " + i);
      }
      producer.seal(SealMode.WHEN_ALONE);
    }
    return stream;
  }

  static Consumer consumer(Namespace stream, int prefetch) throws InterruptedException {
    ConsumerSettings settings = ConsumerSettings.DEFAULT.withPrefetch(prefetch, 1 << 20, 4);
    return stream.consumer(FIRST, Cursor.start(stream.uuid()), settings);
  }

  /** Everything to the end, as text, without trailing blanks; closes the consumer. */
  static List<String> readAll(Consumer consumer) throws InterruptedException {
    List<String> read = new ArrayList<>();
    try (consumer) {
      Optional<RankBatch> batch = consumer.next();
      while (batch.isPresent()) {
        read.add(text(batch.get()).stripTrailing());
        batch = consumer.next();
      }
    }
    return read;
  }
}
