// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static io.lakestream.Streams.APART;
import static io.lakestream.Streams.EAGER;
import static io.lakestream.Streams.MESH;
import static io.lakestream.Streams.batch;
import static io.lakestream.Streams.producer;
import static io.lakestream.Streams.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.model.CommitUnknown;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.DataLoss;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.LakestreamException;
import io.lakestream.model.Mesh;
import io.lakestream.model.ProducerFenced;
import io.lakestream.model.Publication;
import io.lakestream.model.PublicationListener;
import io.lakestream.model.SealMode;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.model.StreamSealed;
import io.lakestream.model.Tgb;
import io.lakestream.policy.PolicyStart;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.store.Body;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.UnreliableStore;
import io.lakestream.store.UnreliableStore.Effect;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A producer's contract: order, limits, what is refused, and what surfaces where. */
final class ProducerTest {
  private final UnreliableStore store = new UnreliableStore();

  private static List<String> expected(String producer, int count) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(producer + " " + i + " (0,0)");
    }
    return texts;
  }

  @Test
  void aBatchOfAnotherMeshIsRefusedAndTheProducerGoesOn() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer = producer(stream, "p")) {
      Tgb wide =
          Tgb.raw(new Mesh(3, 1))
              .slice(0, 0, bytes())
              .slice(1, 0, bytes())
              .slice(2, 0, bytes())
              .build();
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> producer.write(wide, "0"))
          .withMessageContaining("3x1")
          .withMessageContaining("2x2")
          .withMessageContaining("(2,0)")
          .withMessageContaining("(1,1)");
      producer.write(batch("p", 0), "0");
      producer.seal(SealMode.WHEN_ALONE);
      assertThat(readAll(stream.consumer(Streams.FIRST))).isEqualTo(expected("p", 1));
    }
  }

  private static ByteBuffer bytes() {
    return ByteBuffer.wrap(new byte[] {1});
  }

  @Test
  void anOffsetThatIsTooLongIsRefused() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer = producer(stream, "p")) {
      producer.write(batch("p", 0), "é".repeat(32));
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> producer.write(batch("p", 1), "é".repeat(32) + "."))
          .withMessageContaining("64 bytes")
          .withMessageContaining("65");
      producer.flush();
      assertThat(producer.metrics().tgbsPublished()).isEqualTo(1);
    }
  }

  @Test
  void anIdThatIsEmptyOrTooLongIsRefused() {
    try (Namespace stream = Streams.create(store)) {
      for (String id : List.of("", "x".repeat(65), "Ä".repeat(11))) {
        assertThatExceptionOfType(InvalidRequest.class)
            .isThrownBy(() -> stream.producer(id))
            .withMessageContaining("producer id");
      }
    }
  }

  @Test
  void idsOfAnyCharactersHaveStreamsOfTheirOwn() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      for (String id : List.of("Pack/1", "pack/1", "pack=2f1", "päck 1", "pack-1-2-3")) {
        try (Producer producer = producer(stream, id)) {
          assertThat(producer.recoveredOffset()).as(id).isEmpty();
          producer.write(batch(id, 0), id);
        }
      }
      assertThat(stream.view().producers()).hasSize(5).allMatch(status -> status.tgbs() == 1);
    }
  }

  @Test
  void smallBatchesShareObjectsAndAreReadBackEach() throws Exception {
    ProducerSettings oneUpload = EAGER.withUploads(1, 256 << 20, 1 << 20);
    try (Namespace stream = Streams.create(store)) {
      try (Producer producer = stream.producer("p", oneUpload, PublicationListener.none())) {
        CountDownLatch isWritten = new CountDownLatch(1);
        store.holdPuts(isWritten);
        for (int i = 0; i < 300; i++) {
          producer.write(batch("p", i), Integer.toString(i));
        }
        isWritten.countDown();
        producer.flush();
        assertThat(producer.metrics().objectsPut()).isBetween(1L, 2L);
        producer.seal(SealMode.WHEN_ALONE);
      }
      assertThat(readAll(stream.consumer(Streams.FIRST))).isEqualTo(expected("p", 300));
    }
  }

  @Test
  void aHugeBatchIsCutOverSeveralObjects() throws Exception {
    ProducerSettings parts = APART.withPending(16).withParts(1_024);
    try (Namespace stream = Streams.create(store)) {
      try (Producer producer = stream.producer("p", parts, PublicationListener.none())) {
        producer.write(batch("p", 0, 3_000), "0");
        producer.write(batch("p", 1, 10), "1");
        producer.seal(SealMode.WHEN_ALONE);
      }
      assertThat(stream.view().step(0).objects()).hasSizeGreaterThan(10);
      assertThat(stream.view().step(1).objects()).hasSize(1);
      assertThat(readAll(stream.consumer(Streams.FIRST))).isEqualTo(expected("p", 2));
      assertThat(stream.view().footer(0).slices()).hasSize(4);
    }
  }

  @Test
  void provenanceTravelsInTheFooterOrBesideIt() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer = producer(stream, "p")) {
      for (int length : List.of(100, 64 * 1024 + 1)) {
        var builder = Tgb.raw(MESH).provenance(ByteBuffer.wrap(new byte[length]));
        for (int i = 0; i < 4; i++) {
          builder.slice(i / 2, i % 2, bytes());
        }
        producer.write(builder.build(), "");
      }
      producer.flush();
      StreamView view = stream.view();
      var ignored = store.takeCalls();
      assertThat(view.footer(0).provenance().orElseThrow().remaining()).isEqualTo(100);
      assertThat(store.takeCalls()).noneMatch(call -> call.endsWith(".provenance"));
      assertThat(view.footer(1).provenance().orElseThrow().remaining()).isEqualTo(64 * 1024 + 1);
      String read =
          store.takeCalls().stream().filter(call -> call.endsWith(".provenance")).findAny().get();
      String sidecar = read.substring(read.indexOf(' ') + 1);
      store.put(sidecar, Body.of(new byte[64 * 1024]));
      assertThatExceptionOfType(CorruptObject.class)
          .isThrownBy(() -> view.footer(1))
          .withMessageContaining(sidecar);
      assertThat(store.delete(List.of(sidecar))).isEmpty();
      assertThatExceptionOfType(DataLoss.class)
          .isThrownBy(() -> view.footer(1))
          .withMessageContaining(sidecar);
    }
  }

  @Test
  void theListenerIsToldOfEveryBatchInOrder() throws Exception {
    List<Publication> told = Collections.synchronizedList(new ArrayList<>());
    try (Namespace stream = Streams.create(store)) {
      try (Producer producer = stream.producer("p", EAGER, told::add)) {
        for (int i = 0; i < 50; i++) {
          producer.write(batch("p", i), "");
        }
      }
    }
    assertThat(told).extracting(Publication::seq).isSorted().hasSize(50);
    assertThat(told).extracting(Publication::visibleNanos).allMatch(nanos -> nanos > 0);
  }

  @Test
  void aListenerThatThrowsEndsTheProducer() throws Exception {
    PublicationListener broken =
        publication -> {
          throw new IllegalStateException("a broken listener");
        };
    try (Namespace stream = Streams.create(store)) {
      Producer producer = stream.producer("p", EAGER, broken);
      producer.write(batch("p", 0), "0");
      assertThatThrownBy(producer::flush)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("a broken listener");
      producer.close();
    }
  }

  @Test
  void aFailedUploadSurfacesOnceAndNothingLaterIsPublished() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      assertThatExceptionOfType(StoreUnavailable.class)
          .isThrownBy(
              () -> {
                try (Producer producer =
                    stream.producer(
                        "p", EAGER.withUploads(1, 256 << 20, 0), PublicationListener.none())) {
                  producer.write(batch("p", 0), "0");
                  producer.flush();
                  store.on("data/", Effect.REFUSED);
                  producer.write(batch("p", 1), "1");
                  producer.write(batch("p", 2), "2");
                  producer.flush();
                }
              })
          .withMessageContaining("data/")
          .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
      try (Producer again = producer(stream, "p")) {
        assertThat(again.recoveredOffset()).contains("0");
        again.write(batch("p", 1), "1");
        again.seal(SealMode.WHEN_ALONE);
      }
      assertThat(readAll(stream.consumer(Streams.FIRST))).isEqualTo(expected("p", 2));
    }
  }

  @Test
  void aProducerThatFailedUnnoticedSaysSoWhenItIsClosed() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      Producer producer = producer(stream, "p");
      store.on("data/", Effect.REFUSED);
      producer.write(batch("p", 0), "0");
      assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(producer::close);
      producer.close();
    }
  }

  @Test
  void aFencedProducerSaysSoInEveryCallAndLosesNothingOfItsSuccessor() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      Producer first = producer(stream, "p");
      first.write(batch("p", 0), "0");
      first.flush();
      try (Producer second = producer(stream, "p")) {
        assertThat(second.recoveredOffset()).contains("0");
        second.write(batch("p", 1), "1");
        second.flush();
        first.write(batch("zombie", 1), "1");
        assertThatExceptionOfType(ProducerFenced.class)
            .isThrownBy(first::flush)
            .withMessageContaining("'p'");
        assertThatExceptionOfType(ProducerFenced.class)
            .isThrownBy(() -> first.write(batch("zombie", 2), "2"));
        first.close();
        second.seal(SealMode.WHEN_ALONE);
      }
      assertThat(readAll(stream.consumer(Streams.FIRST))).isEqualTo(expected("p", 2));
    }
  }

  @Test
  void aLostReplyToACommitIsNoticedByNobody() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      try (Producer producer = producer(stream, "p")) {
        for (int i = 0; i < 20; i++) {
          store.on("manifest/0", i % 2 == 0 ? Effect.LOST_REPLY : Effect.LOST_REQUEST);
          producer.write(batch("p", i), "");
          producer.flush();
        }
        producer.seal(SealMode.WHEN_ALONE);
      }
      assertThat(readAll(stream.consumer(Streams.FIRST))).isEqualTo(expected("p", 20));
    }
  }

  @Test
  void writingWaitsForTheLimitOnPendingBatches() throws Exception {
    PolicyStart never = tau -> new NeverPolicy();
    ProducerSettings settings =
        EAGER.withPolicy(never).withPending(3).withUploads(1, 1 << 20, 0).withParts(1 << 20);
    try (Namespace stream = Streams.create(new MemoryStore())) {
      try (Producer producer = stream.producer("p", settings, PublicationListener.none())) {
        for (int i = 0; i < 20; i++) {
          producer.write(batch("p", i), "");
          long ahead = i + 1 - producer.metrics().tgbsPublished();
          assertThat(ahead).as("written but not published").isLessThanOrEqualTo(3);
        }
        producer.flush();
        assertThat(producer.metrics().tgbsPublished()).isEqualTo(20);
        assertThat(producer.metrics().commits()).isLessThan(20);
      }
    }
  }

  /** Wants more batches than there can be. */
  private record NeverPolicy() implements io.lakestream.policy.CommitPolicy {
    @Override
    public long waitNanos(int pendingTgbs, long sinceAttemptNanos) {
      return pendingTgbs < 100 ? UNTIL_MORE : 0;
    }

    @Override
    public NeverPolicy after(Attempt attempt) {
      return this;
    }
  }

  @Test
  void aListenerThatInterruptsItsThreadMakesNobodyBelieveInPublications() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      Producer producer =
          stream.producer("p", EAGER, publication -> Thread.currentThread().interrupt());
      producer.write(batch("p", 0), "0");
      assertThatThrownBy(
              () -> {
                for (int i = 1; i < 5_000; i++) {
                  producer.write(batch("p", i), Integer.toString(i));
                }
                producer.flush();
              })
          .isInstanceOf(LakestreamException.class)
          .hasMessageContaining("interrupted");
      producer.close();
    }
  }

  @Test
  void aProducerThatDiedCanBeRetiredAndReturns() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      Producer dead = producer(stream, "p");
      dead.write(batch("p", 0), "0");
      dead.flush();
      assertThat(stream.retire("p")).isTrue();
      assertThat(stream.retire("p")).isFalse();
      assertThat(stream.view().producers()).allMatch(status -> !status.isActive());
      dead.write(batch("p", 1), "1");
      assertThatExceptionOfType(ProducerFenced.class).isThrownBy(dead::flush);
      dead.close();
      try (Producer again = producer(stream, "p")) {
        assertThat(again.recoveredOffset()).contains("0");
      }
    }
  }

  @Test
  void aClosedProducerRefusesAndClosingAgainDoesNothing() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      Producer producer = producer(stream, "p");
      producer.close();
      producer.close();
      assertThatThrownBy(() -> producer.write(batch("p", 0), ""))
          .isInstanceOf(InvalidRequest.class)
          .hasMessageContaining("closed");
      assertThatThrownBy(producer::flush).isInstanceOf(InvalidRequest.class);
    }
  }

  @Test
  void aRefusedSealLeavesTheProducerAtWork() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer = producer(stream, "p")) {
      Producer other = producer(stream, "other");
      producer.write(batch("p", 0), "0");
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> producer.seal(SealMode.WHEN_ALONE))
          .withMessageContaining("other");
      producer.write(batch("p", 1), "1");
      producer.flush();
      other.close();
      producer.seal(SealMode.WHEN_ALONE);
      assertThat(readAll(stream.consumer(Streams.FIRST))).isEqualTo(expected("p", 2));
      assertThatExceptionOfType(StreamSealed.class).isThrownBy(() -> producer(stream, "late"));
    }
  }

  @Test
  void anInterruptedCloseSaysWhatIsUnknownOrCloses() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      Producer producer = producer(stream, "p");
      producer.write(batch("p", 0), "0");
      Thread.currentThread().interrupt();
      String message = "";
      try {
        producer.close();
      } catch (CommitUnknown e) {
        message = e.getMessage() + "";
      }
      assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
      try (Producer again = producer(stream, "p")) {
        assertThat(again.recoveredTgbs()).isLessThanOrEqualTo(1);
        if (message.isEmpty()) {
          assertThat(again.recoveredTgbs()).isEqualTo(1);
        } else {
          assertThat(message).contains("interrupted");
        }
      }
    }
  }
}
