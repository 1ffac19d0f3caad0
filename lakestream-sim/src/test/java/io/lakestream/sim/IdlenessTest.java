// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.Consumer;
import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.model.SealMode;
import io.lakestream.store.ListPage;
import io.lakestream.store.ObjectEntry;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.testkit.ForwardingStore;
import io.lakestream.testkit.RecordingStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whoever changes nothing writes nothing, and nobody lists. */
final class IdlenessTest {
  private static final List<Operation> WRITES =
      List.of(Operation.PUT, Operation.PUT_IF_ABSENT, Operation.DELETE);

  private static List<String> writes(List<String> calls) {
    return calls.stream()
        .filter(call -> WRITES.stream().anyMatch(write -> call.startsWith(write.label() + " ")))
        .toList();
  }

  @Test
  void anHourOfIdlingReadersWritesNothing() throws Exception {
    int readers = 4;
    Scene.play(
        1,
        scene -> {
          scene.produce(scene.director(), "p", 3);
          long before = scene.headVersion();
          int[] waiting = new int[1];
          List<RecordingStore> stores = new ArrayList<>();
          for (int i = 0; i < readers; i++) {
            var unused =
                scene.start(
                    scene.world().process("r" + i),
                    (name, process) -> {
                      RecordingStore store = new RecordingStore(scene.store(process));
                      stores.add(store);
                      try (Namespace stream = scene.open(process, store);
                          Consumer consumer = stream.consumer(Scene.RANK)) {
                        waiting[0]++;
                        scene.assertReads(consumer, Map.of("p", 3));
                        waiting[0]--;
                      }
                    });
          }
          scene.sleep(3_600);
          assertThat(waiting[0]).isEqualTo(readers);
          assertThat(scene.headVersion()).isEqualTo(before);
          try (Namespace stream = scene.open(scene.director())) {
            stream.seal(SealMode.WHEN_ALONE);
          }
          scene.await(() -> waiting[0] == 0);
          for (RecordingStore store : stores) {
            List<String> calls = store.takeCalls();
            assertThat(calls).hasSizeGreaterThan(3_000);
            assertThat(writes(calls)).isEmpty();
          }
        });
  }

  @Test
  void flushingNothingCommitsNothing() throws Exception {
    Scene.play(
        2,
        scene -> {
          RecordingStore store = new RecordingStore(scene.store());
          try (Namespace stream = scene.open(scene.director(), store);
              Producer producer = scene.producer(stream, "p")) {
            producer.flush();
            scene.write(producer, 1);
            List<String> unused = store.takeCalls();
            for (int i = 0; i < 10; i++) {
              producer.flush();
              scene.sleep(60);
            }
            assertThat(writes(store.takeCalls())).isEmpty();
            assertThat(producer.metrics().attempts()).isEqualTo(1);
          }
        });
  }

  @Test
  void openingAndReadingAndWritingDoNotListSoTheOrderOfListingsIsNoMatter() throws Exception {
    Scene.play(
        3,
        scene -> {
          scene.produce(scene.director(), "p", 40);
          RecordingStore store = new RecordingStore(new ShuffledPages(scene.store()));
          try (Namespace stream = scene.open(scene.director(), store);
              Producer producer = scene.producer(stream, "p");
              Consumer consumer = stream.consumer(Scene.RANK)) {
            scene.write(producer, 1);
            producer.seal(SealMode.WHEN_ALONE);
            scene.assertReads(consumer, Map.of("p", 41));
          }
          assertThat(store.takeCalls())
              .isNotEmpty()
              .noneMatch(call -> call.startsWith(Operation.LIST.label() + " "));
        });
  }

  /** Pages of three in the order of no key. */
  private static final class ShuffledPages extends ForwardingStore {
    private static final int PAGE = 3;

    ShuffledPages(ObjectStore store) {
      super(store);
    }

    @Override
    public ListPage list(String prefix, Optional<String> continuation) throws IOException {
      List<ObjectEntry> all = new ArrayList<>();
      Optional<String> rest = Optional.empty();
      do {
        ListPage page = target().list(prefix, rest);
        all.addAll(page.entries());
        rest = page.next();
      } while (rest.isPresent());
      Collections.shuffle(all, new Random(prefix.length()));
      int from = continuation.map(Integer::parseInt).orElse(0);
      int to = Math.min(all.size(), from + PAGE);
      return new ListPage(
          all.subList(from, to),
          to < all.size() ? Optional.of(Integer.toString(to)) : Optional.empty());
    }
  }
}
