// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.format.Names;
import io.lakestream.model.ProducerFenced;
import io.lakestream.policy.ReclaimSettings;
import io.lakestream.policy.ReclaimSettings.Mode;
import io.lakestream.store.Body;
import io.lakestream.store.ForwardingStore;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Producers that many versions have passed are retired, others are not. */
final class IdleProducersTest {
  private static final ReclaimSettings SOON = ReclaimSettings.DEFAULT.retiringAfter(20);

  private static void write(Producer producer, int from, int count) throws InterruptedException {
    for (int i = from; i < from + count; i++) {
      producer.write(Streams.batch(producer.id(), i), Integer.toString(i + 1));
      producer.flush();
    }
  }

  @Test
  void anIdleProducerIsRetiredAndWhatItLeftGoesInTheSamePass() throws Exception {
    MemoryStore store = new MemoryStore();
    try (Namespace stream = Streams.create(store);
        Producer busy = Streams.producer(stream, "busy")) {
      Producer dead = Streams.producer(stream, "dead");
      write(dead, 0, 2);
      store.put(Names.data("dead", dead.epoch(), 2, 1), Body.of(new byte[] {1}));
      write(busy, 0, 19);
      assertThat(stream.lifecycle().reclaim(SOON).retired()).isEmpty();
      write(busy, 19, 1);
      assertThat(stream.lifecycle().reclaim(ReclaimSettings.DEFAULT).retired()).isEmpty();
      assertThat(stream.lifecycle().reclaim(SOON.in(Mode.LOOK)).retired()).containsExactly("dead");
      assertThat(stream.view().summary().activeProducers()).isEqualTo(2);
      var reclaimed = stream.lifecycle().reclaim(SOON);
      assertThat(reclaimed.retired()).containsExactly("dead");
      assertThat(reclaimed.orphans()).isEqualTo(1);
      assertThat(stream.view().summary().activeProducers()).isEqualTo(1);
      assertThat(stream.lifecycle().reclaim(SOON).retired()).isEmpty();
    }
  }

  @Test
  void oneThatIsAliveIsToldSoAndGoesOnBehindItsLastBatchWhenItOpensAgain() throws Exception {
    try (Namespace stream = Streams.create(new MemoryStore());
        Producer busy = Streams.producer(stream, "busy")) {
      Producer slow = Streams.producer(stream, "slow");
      write(slow, 0, 3);
      write(busy, 0, 20);
      assertThat(stream.lifecycle().reclaim(SOON).retired()).containsExactly("slow");
      assertThatExceptionOfType(ProducerFenced.class)
          .isThrownBy(() -> write(slow, 3, 1))
          .withMessageContaining("had not committed for many versions")
          .withMessageContaining("open it again");
      try (Producer again = Streams.producer(stream, "slow")) {
        assertThat(again.recoveredTgbs()).isEqualTo(3);
        assertThat(again.recoveredOffset()).contains("3");
        write(again, 3, 2);
      }
      assertThat(stream.view().summary().nextStep()).isEqualTo(25);
    }
  }

  /** A store in which something happens just before a version is put. */
  private static final class SlowPut extends ForwardingStore {
    private Runnable before = () -> {};

    SlowPut(MemoryStore store) {
      super(store);
    }

    @Override
    public PutOutcome putIfAbsent(String key, Body body) throws IOException {
      if (key.startsWith(Names.MANIFESTS)) {
        Runnable once = before;
        before = () -> {};
        once.run();
      }
      return super.putIfAbsent(key, body);
    }
  }

  @Test
  void oneThatCommitsWhileItIsBeingRetiredKeepsItsTerm() throws Exception {
    SlowPut store = new SlowPut(new MemoryStore());
    try (Namespace stream = Streams.create(store);
        Producer busy = Streams.producer(stream, "busy");
        Producer slow = Streams.producer(stream, "slow")) {
      write(busy, 0, 20);
      store.before =
          () -> {
            try {
              write(slow, 0, 1);
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          };
      assertThat(stream.lifecycle().reclaim(SOON).retired()).isEmpty();
      write(slow, 1, 1);
      assertThat(stream.view().summary().activeProducers()).isEqualTo(2);
    }
  }

  @Test
  void aPassRetiresAHundredAndTheNextOneGoesOn() throws Exception {
    try (Namespace stream = Streams.create(new MemoryStore());
        Producer busy = Streams.producer(stream, "busy")) {
      for (int i = 100; i < 230; i++) {
        Producer unused = Streams.producer(stream, "dead-" + i);
      }
      write(busy, 0, 20);
      List<String> first = stream.lifecycle().reclaim(SOON).retired();
      assertThat(first).hasSize(100).startsWith("dead-100").endsWith("dead-199");
      write(busy, 20, 20);
      assertThat(stream.lifecycle().reclaim(SOON).retired()).hasSize(30).endsWith("dead-229");
    }
  }
}
