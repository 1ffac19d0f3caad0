// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.format.Names;
import io.lakestream.model.Cell;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.Cursor;
import io.lakestream.model.DataLoss;
import io.lakestream.model.Pin;
import io.lakestream.model.Reclaimed;
import io.lakestream.model.StepReclaimed;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.model.Tgb;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.policy.ReclaimSettings;
import io.lakestream.store.Body;
import io.lakestream.store.DeleteFailure;
import io.lakestream.store.ForwardingStore;
import io.lakestream.store.Listings;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.UnreliableStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Pins hold what they promise, and what nobody needs goes. */
final class LifecycleTest {
  private final MemoryStore store = new MemoryStore();

  private Set<String> dataKeys() throws IOException {
    return new TreeSet<>(Listings.keys(store, Names.DATA));
  }

  private static Set<String> referenced(Namespace stream, long first, long end) {
    Set<String> keys = new TreeSet<>();
    StreamView view = stream.view();
    for (long step = first; step < end; step++) {
      keys.addAll(view.step(step).objects());
    }
    return keys;
  }

  @Test
  void nothingGoesWhileNothingIsPinned() throws Exception {
    try (Namespace stream = Streams.sealed(store, 300)) {
      Set<String> before = dataKeys();
      assertThat(stream.lifecycle().reclaim(ReclaimSettings.DEFAULT))
          .isEqualTo(new Reclaimed(0, List.of(), List.of(), 0, 0, 0, 0));
      assertThat(dataKeys()).isEqualTo(before);
    }
  }

  @Test
  void whatIsBelowTheLowestPinGoesAndTheRestStays() throws Exception {
    try (Namespace stream = Streams.sealed(store, 700, Streams.APART)) {
      Set<String> kept = referenced(stream, 300, 700);
      stream.lifecycle().pin(500, "newer");
      Pin older = stream.lifecycle().pin(300, "older");
      Reclaimed first = stream.lifecycle().reclaim(ReclaimSettings.DEFAULT);
      assertThat(first.firstStep()).isEqualTo(300);
      assertThat(first.dataObjects()).isPositive();
      assertThat(dataKeys()).isEqualTo(kept);
      assertThatExceptionOfType(StepReclaimed.class).isThrownBy(() -> stream.view().step(299));
      Cursor cursor = new Cursor(stream.uuid(), 0, 300, 0);
      assertThat(Streams.readAll(stream.consumer(Streams.FIRST, cursor, ConsumerSettings.DEFAULT)))
          .hasSize(400)
          .startsWith("p 300 (0,0)");
      assertThat(stream.lifecycle().unpin(older.name())).isTrue();
      assertThat(stream.lifecycle().unpin(older.name())).isFalse();
      assertThat(stream.lifecycle().pinned()).extracting(Pin::label).containsExactly("newer");
      assertThat(stream.lifecycle().reclaim(ReclaimSettings.DEFAULT).firstStep()).isEqualTo(500);
      assertThat(dataKeys()).isEqualTo(referenced(stream, 500, 700));
    }
  }

  @Test
  void segmentsAndManifestsGoToo() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      try (Producer producer = Streams.producer(stream, "p")) {
        for (int i = 0; i < 1_000; i++) {
          producer.write(Streams.batch("p", i), "");
          if (i % 20 == 0) {
            producer.flush();
          }
        }
      }
      stream.lifecycle().pin(900, "checkpoint");
      Reclaimed reclaimed = stream.lifecycle().reclaim(ReclaimSettings.DEFAULT.keeping(5));
      assertThat(reclaimed.segments()).isPositive();
      assertThat(reclaimed.manifests()).isPositive();
      assertThat(Listings.keys(store, Names.MANIFESTS)).hasSizeLessThan(10);
      assertThat(stream.view().summary().firstStep()).isEqualTo(900);
      assertThat(stream.view().summary().nextStep()).isEqualTo(1_000);
      assertThat(stream.lifecycle().reclaim(ReclaimSettings.DEFAULT.keeping(5)).dataObjects())
          .isLessThan(reclaimed.dataObjects());
    }
  }

  @Test
  void whatOthersPutThereStays() throws Exception {
    try (Namespace stream = Streams.sealed(store, 300)) {
      List<String> strangers =
          List.of(
              Names.MANIFESTS + "9".repeat(20) + ".manifest",
              Names.SEGMENTS + "9".repeat(20) + "-" + "9".repeat(20) + "-" + "0".repeat(32));
      for (String stranger : strangers) {
        store.put(stranger, Body.of(new byte[1]));
      }
      stream.lifecycle().pin(200, "checkpoint");
      assertThat(stream.lifecycle().reclaim(ReclaimSettings.DEFAULT.keeping(1)).manifests())
          .isPositive();
      for (String stranger : strangers) {
        assertThat(store.size(stranger)).isPresent();
      }
    }
  }

  @Test
  void aPinBelowTheFirstStepIsRefusedAndLeavesNothing() throws Exception {
    try (Namespace stream = Streams.sealed(store, 10)) {
      stream.lifecycle().pin(5, "checkpoint");
      assertThat(stream.lifecycle().reclaim(ReclaimSettings.DEFAULT).firstStep()).isEqualTo(5);
      assertThatExceptionOfType(StepReclaimed.class)
          .isThrownBy(() -> stream.lifecycle().pin(4, "too late"))
          .withMessageContaining("the first step there is now is 5");
      assertThat(stream.lifecycle().pinned()).hasSize(1);
    }
  }

  @Test
  void aPinThatIsSetWhileATrimIsAnnouncedTakesItBack() throws Exception {
    UnreliableStore unreliable = new UnreliableStore();
    try (Namespace stream = Streams.sealed(unreliable, 10)) {
      stream.lifecycle().pin(8, "checkpoint");
      long head = stream.view().summary().version();
      unreliable.before(Names.manifest(head + 2), () -> stream.lifecycle().pin(6, "in time"));
      assertThat(stream.lifecycle().reclaim(ReclaimSettings.DEFAULT).firstStep()).isZero();
      assertThat(stream.lifecycle().reclaim(ReclaimSettings.DEFAULT).firstStep()).isEqualTo(6);
    }
  }

  @Test
  void aPinThatIsSetBeforeATrimIsAnnouncedIsFoundAfterwards() throws Exception {
    UnreliableStore unreliable = new UnreliableStore();
    try (Namespace stream = Streams.sealed(unreliable, 10)) {
      Pin late = stream.lifecycle().pin(9, "next");
      long head = stream.view().summary().version();
      unreliable.before(Names.manifest(head + 1), () -> stream.lifecycle().pin(8, "again"));
      assertThat(stream.lifecycle().reclaim(ReclaimSettings.DEFAULT).firstStep()).isEqualTo(8);
      assertThat(stream.lifecycle().pinned()).contains(late).hasSize(2);
    }
  }

  @Test
  void aPinWhoseReplyIsLostIsLookedForAndOneThatIsNotThereIsUnknown() throws Exception {
    UnreliableStore unreliable = new UnreliableStore();
    try (Namespace stream = Streams.sealed(unreliable, 10)) {
      unreliable.on(Names.PINS, UnreliableStore.Effect.LOST_REPLY);
      assertThat(stream.lifecycle().pin(3, "kept").step()).isEqualTo(3);
      assertThat(stream.lifecycle().pinned()).extracting(Pin::label).containsExactly("kept");
      unreliable.on(Names.PINS, UnreliableStore.Effect.LOST_REQUEST);
      assertThatExceptionOfType(CommitUnknown.class)
          .isThrownBy(() -> stream.lifecycle().pin(4, "lost"))
          .withMessageContaining("pin the step again");
      assertThat(stream.lifecycle().pinned()).hasSize(1);
    }
  }

  @Test
  void aViewFromBeforeKnowsWhatIsReclaimedFromWhatIsLost() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      try (Producer producer = Streams.producer(stream, "p")) {
        for (int i = 0; i < 3; i++) {
          var tgb = Tgb.raw(Streams.MESH).provenance(ByteBuffer.allocate(100_000));
          for (int c = 0; c < Streams.MESH.cells(); c++) {
            Cell cell = Streams.MESH.cell(c);
            tgb.slice(cell.d(), cell.c(), ByteBuffer.allocate(9));
          }
          producer.write(tgb.build(), "");
          producer.flush();
        }
      }
      StreamView before = stream.view();
      assertThat(before.footer(1).provenance()).isPresent();
      String object = before.step(1).objects().get(0);
      ByteBuffer image = store.read(object).orElseThrow();
      stream.lifecycle().pin(2, "checkpoint");
      assertThat(stream.lifecycle().reclaim(ReclaimSettings.DEFAULT).firstStep()).isEqualTo(2);
      Cell first = new Cell(0, 0);
      assertThatExceptionOfType(StepReclaimed.class).isThrownBy(() -> before.slice(0, first));
      assertThatExceptionOfType(StepReclaimed.class).isThrownBy(() -> before.footer(0));
      // Only the object beside the image is gone.
      store.put(object, Body.of(image));
      assertThatExceptionOfType(StepReclaimed.class).isThrownBy(() -> before.footer(1));
      String kept = before.step(2).objects().get(0);
      assertThat(store.delete(List.of(kept))).isEmpty();
      assertThatExceptionOfType(DataLoss.class)
          .isThrownBy(() -> before.footer(2))
          .withMessageContaining(kept);
    }
  }

  /** A store whose first deletions of data fail. */
  private static final class ReluctantStore extends ForwardingStore {
    private int failuresLeft = 2;

    ReluctantStore(ObjectStore store) {
      super(store);
    }

    @Override
    public List<DeleteFailure> delete(List<String> keys) throws IOException {
      if (keys.stream().anyMatch(key -> key.startsWith(Names.DATA)) && failuresLeft-- > 0) {
        throw new IOException("delete of " + keys.get(0) + " failed");
      }
      return super.delete(keys);
    }
  }

  @Test
  void whatAPassThatDiedHasLeftIsFoundByTheNext() throws Exception {
    ReluctantStore reluctant = new ReluctantStore(store);
    try (Namespace stream = Streams.sealed(reluctant, 700)) {
      stream.lifecycle().pin(600, "checkpoint");
      for (int i = 0; i < 2; i++) {
        assertThatExceptionOfType(StoreUnavailable.class)
            .isThrownBy(() -> stream.lifecycle().reclaim(ReclaimSettings.DEFAULT))
            .withMessageContaining("reclaiming stopped");
      }
      assertThat(stream.lifecycle().reclaim(ReclaimSettings.DEFAULT).firstStep()).isEqualTo(600);
      assertThat(dataKeys()).isEqualTo(referenced(stream, 600, 700));
    }
  }
}
