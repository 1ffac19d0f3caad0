// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static io.lakestream.Streams.EAGER;
import static io.lakestream.Streams.MESH;
import static io.lakestream.Streams.batch;
import static io.lakestream.Streams.producer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.model.CpLayout;
import io.lakestream.model.DType;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.PublicationListener;
import io.lakestream.model.RankBatch;
import io.lakestream.model.Rows;
import io.lakestream.model.Schema;
import io.lakestream.model.SealMode;
import io.lakestream.model.TensorSpec;
import io.lakestream.model.TensorSpec.Kind;
import io.lakestream.model.Tgb;
import io.lakestream.policy.ProducerSettings.SchemaChange;
import io.lakestream.store.UnreliableStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Batches of another kind stay out of a stream, unless they are meant. */
final class SchemaChangeTest {
  private static final Schema INTS = scores(DType.I32, 4);
  private static final Schema LONGS = scores(DType.I64, 4);
  private static final Schema MORE_INTS = scores(DType.I32, 6);

  private final UnreliableStore store = new UnreliableStore();

  private static Schema scores(DType dtype, long width) {
    return Schema.of(new TensorSpec("scores", dtype, List.of(-1L, width), Kind.ROWS));
  }

  private static Tgb of(Schema schema) {
    int bytes = Math.toIntExact(schema.tensors().get(0).bytesOfFirst());
    var builder = Tgb.tensors(MESH, schema, CpLayout.CONTIGUOUS);
    for (int d = 0; d < MESH.dataParallel(); d++) {
      builder.replica(d, Rows.of(1, 0), Map.of("scores", ByteBuffer.allocate(bytes)));
    }
    return builder.build();
  }

  private static void assertRefused(Producer producer, Tgb tgb) {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(
            () -> {
              producer.write(tgb, "refused");
              producer.flush();
            })
        .withMessageContaining("tensor 'scores' has dtype I64 instead of I32")
        .withMessageContaining("SchemaChange.ALLOWED");
  }

  private static Producer turning(Namespace stream, String id) throws InterruptedException {
    return stream.producer(
        id, EAGER.withSchemaChange(SchemaChange.ALLOWED), PublicationListener.none());
  }

  private static List<Schema> schemasRead(Namespace stream) throws InterruptedException {
    List<Schema> schemas = new ArrayList<>();
    try (Consumer consumer = stream.consumer(Streams.FIRST)) {
      Optional<RankBatch> batch = consumer.next();
      while (batch.isPresent()) {
        schemas.add(batch.get().schema());
        batch = consumer.next();
      }
    }
    return schemas;
  }

  @Test
  void aDriftIsRefusedBeforeAnythingIsUploadedAndTheProducerGoesOn() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer = producer(stream, "p")) {
      producer.write(of(INTS), "0");
      assertRefused(producer, of(LONGS));
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> producer.write(batch("p", 1), "1"))
          .withMessageContaining("type RAW instead of SAFETENSORS");
      producer.write(of(INTS), "1");
      producer.seal(SealMode.WHEN_ALONE);
      assertThat(schemasRead(stream)).containsExactly(INTS, INTS);
      assertThat(producer.metrics().tgbsWritten()).isEqualTo(2);
      assertThat(stream.view().summary().schemas()).containsExactly(INTS);
    }
  }

  @Test
  void aProducerKnowsTheKindOfWhatOthersWrote() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      try (Producer first = producer(stream, "first")) {
        first.write(of(INTS), "0");
      }
      try (Producer second = producer(stream, "second")) {
        store.takeCalls();
        assertRefused(second, of(LONGS));
        assertThat(store.takeCalls()).isEmpty();
        second.write(of(INTS), "0");
      }
      assertThat(stream.view().summary().nextStep()).isEqualTo(2);
    }
  }

  @Test
  void otherSizesAreSchemasOfTheSameStream() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      try (Producer producer = producer(stream, "p")) {
        for (Schema schema : List.of(INTS, MORE_INTS, INTS)) {
          producer.write(of(schema), "");
        }
        producer.seal(SealMode.WHEN_ALONE);
      }
      assertThat(schemasRead(stream)).containsExactly(INTS, MORE_INTS, INTS);
    }
  }

  @Test
  void ofTwoThatStartAnEmptyStreamWithTwoKindsOneFailsAndReturnsWithTheOther() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      Producer late = producer(stream, "late");
      try (Producer early = producer(stream, "early")) {
        early.write(of(INTS), "0");
        early.flush();
        assertRefused(late, of(LONGS));
        assertRefused(late, of(INTS));
        late.close();
        assertThat(stream.view().summary().schemas()).containsExactly(INTS);
      }
      try (Producer again = producer(stream, "late")) {
        assertThat(again.recoveredOffset()).isEmpty();
        assertRefused(again, of(LONGS));
        again.write(of(INTS), "0");
        again.seal(SealMode.WHEN_ALONE);
      }
      assertThat(schemasRead(stream)).containsExactly(INTS, INTS);
      assertThat(stream.view().producers()).allMatch(status -> status.tgbs() == 1);
    }
  }

  @Test
  void whoMeansItTurnsTheStreamAndTurnsItBack() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      for (Schema schema : List.of(INTS, LONGS, INTS)) {
        try (Producer turning = turning(stream, "turning")) {
          turning.write(of(schema), "");
        }
        try (Producer following = producer(stream, "following")) {
          following.write(of(schema), "");
        }
      }
      try (Producer last = producer(stream, "last")) {
        assertRefused(last, of(LONGS));
        last.seal(SealMode.WHEN_ALONE);
      }
      assertThat(schemasRead(stream)).containsExactly(INTS, INTS, LONGS, LONGS, INTS, INTS);
      assertThat(stream.view().summary().schemas()).containsExactly(LONGS, INTS);
    }
  }

  @Test
  void whoWritesTheOldKindToATurnedStreamIsStopped() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      Producer old = producer(stream, "old");
      old.write(of(LONGS), "0");
      old.flush();
      try (Producer turning = turning(stream, "turning")) {
        turning.write(of(INTS), "");
      }
      assertRefused(old, of(LONGS));
      old.close();
      try (Producer again = producer(stream, "old")) {
        assertThat(again.recoveredOffset()).contains("0");
        again.write(of(INTS), "1");
      }
      assertThat(stream.view().summary().nextStep()).isEqualTo(3);
    }
  }

  @Test
  void aStreamThatTurnsWithinOneCommitEndsAsItsLastBatch() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      try (Producer turning = turning(stream, "p")) {
        for (Schema schema : List.of(INTS, LONGS, INTS)) {
          turning.write(of(schema), "");
        }
      }
      try (Producer next = producer(stream, "next")) {
        assertRefused(next, of(LONGS));
      }
    }
  }
}
