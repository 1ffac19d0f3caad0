// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.format.Names;
import io.lakestream.model.Pin;
import io.lakestream.model.Reclaimed;
import io.lakestream.policy.ReclaimSettings;
import io.lakestream.policy.ReclaimSettings.Mode;
import io.lakestream.policy.ReclaimSettings.Orphans;
import io.lakestream.runtime.Environment;
import io.lakestream.store.Body;
import io.lakestream.store.ForwardingStore;
import io.lakestream.store.ListPage;
import io.lakestream.store.Listings;
import io.lakestream.store.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What was uploaded and will never be published goes, and nothing else. */
final class OrphansTest {
  private final MemoryStore store = new MemoryStore();

  private void upload(String key) throws IOException {
    store.put(key, Body.of(new byte[] {1}));
  }

  private Set<String> data() throws IOException {
    return new TreeSet<>(Listings.keys(store, Names.DATA));
  }

  @Test
  void theyAreJudgedByEpochsAndOrder() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      Streams.producer(stream, "p").close();
      Producer producer = Streams.producer(stream, "p");
      for (int i = 0; i < 5; i++) {
        producer.write(Streams.batch("p", i), "");
      }
      producer.flush();
      Set<String> referenced = data();
      long epoch = producer.epoch();
      String inFlight = Names.data("p", epoch, 5, 1);
      String later = Names.data("p", epoch, 99, 1);
      String newer = Names.data("p", epoch + 1, 5, 2);
      String foreign = "data/00/somebody-elses";
      for (String key : new String[] {inFlight, later, newer, foreign}) {
        upload(key);
      }
      upload(Names.data("p", epoch - 1, 99, 1));
      upload(Names.dataPart("p", epoch - 1, 99, 1, 123_456));
      upload(Names.provenance("p", epoch - 1, 3, 1));
      upload(Names.data("p", epoch, 4, 1));
      upload(Names.data("nobody", 1, 0, 1));
      Reclaimed seen = stream.lifecycle().reclaim(ReclaimSettings.DEFAULT.in(Mode.LOOK));
      assertThat(data()).hasSize(referenced.size() + 9);
      assertThat(stream.lifecycle().reclaim(ReclaimSettings.DEFAULT.with(Orphans.LEAVE)).orphans())
          .isZero();
      Reclaimed reclaimed = stream.lifecycle().reclaim(ReclaimSettings.DEFAULT);
      assertThat(reclaimed).isEqualTo(seen);
      assertThat(reclaimed.orphans()).isEqualTo(4); // Sidecars are not counted.
      Set<String> kept = new TreeSet<>(referenced);
      kept.addAll(Set.of(inFlight, later, newer, foreign));
      assertThat(data()).isEqualTo(kept);
      producer.close();
      assertThat(stream.lifecycle().reclaim(ReclaimSettings.DEFAULT).orphans()).isEqualTo(3);
      kept.removeAll(Set.of(inFlight, later, newer));
      assertThat(data()).isEqualTo(kept);
    }
  }

  /** A store that shows a listing of data late: something happens between page and reader. */
  private static final class SlowListing extends ForwardingStore {
    private Runnable after = () -> {};

    SlowListing(MemoryStore store) {
      super(store);
    }

    @Override
    public ListPage list(String prefix, Optional<String> continuation) throws IOException {
      ListPage page = super.list(prefix, continuation);
      if (prefix.equals(Names.DATA)) {
        after.run();
      }
      return page;
    }
  }

  @Test
  void whatIsPublishedBetweenTheListingAndTheHeadStays() throws Exception {
    SlowListing slow = new SlowListing(store);
    try (Namespace stream = Streams.create(slow);
        Producer producer = Streams.producer(stream, "p")) {
      producer.write(Streams.batch("p", 0), "");
      producer.flush();
      slow.after =
          () -> {
            try {
              for (int i = 1; i < 300; i++) {
                producer.write(Streams.batch("p", i), "");
              }
              producer.flush();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            slow.after = () -> {};
          };
      upload(Names.data("nobody", 1, 0, 1));
      assertThat(stream.lifecycle().reclaim(ReclaimSettings.DEFAULT).orphans()).isEqualTo(1);
      StreamView view = stream.view();
      Set<String> referenced = new TreeSet<>();
      for (long step = 0; step < 300; step++) {
        referenced.addAll(view.step(step).objects());
      }
      assertThat(data()).isEqualTo(referenced);
    }
  }

  /** A store in which something happens when a segment is first read. */
  private static final class SlowSegments extends ForwardingStore {
    private Runnable before = () -> {};

    SlowSegments(MemoryStore store) {
      super(store);
    }

    @Override
    public Optional<ByteBuffer> read(String key) throws IOException {
      if (key.startsWith(Names.SEGMENTS)) {
        Runnable once = before;
        before = () -> {};
        once.run();
      }
      return super.read(key);
    }
  }

  @Test
  void aPassGoesOnWhenAnotherGivesUpTheStepsThatItReads() throws Exception {
    SlowSegments slow = new SlowSegments(store);
    try (Namespace stream = Streams.sealed(slow, 700, Streams.APART);
        Namespace other = Lakestream.open(store, "memory:///x", Environment.system())) {
      Pin low = stream.lifecycle().pin(0, "");
      upload(Names.data("nobody", 1, 0, 1));
      slow.before =
          () -> {
            other.lifecycle().pin(500, "");
            other.lifecycle().unpin(low.name());
            try {
              other.lifecycle().reclaim(ReclaimSettings.DEFAULT.with(Orphans.LEAVE));
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          };
      assertThat(stream.lifecycle().reclaim(ReclaimSettings.DEFAULT).orphans()).isEqualTo(1);
      StreamView view = stream.view();
      assertThat(view.summary().firstStep()).isEqualTo(500);
      Set<String> referenced = new TreeSet<>();
      for (long step = 500; step < 700; step++) {
        referenced.addAll(view.step(step).objects());
      }
      assertThat(data()).isEqualTo(referenced);
    }
  }

  @Test
  void aStreamWithoutStepsKeepsAll() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      upload(Names.data("nobody", 1, 0, 1));
      assertThat(stream.lifecycle().reclaim(ReclaimSettings.DEFAULT).orphans()).isZero();
      assertThat(data()).hasSize(1);
    }
  }
}
