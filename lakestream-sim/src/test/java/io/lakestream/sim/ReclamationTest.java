// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.Consumer;
import io.lakestream.Namespace;
import io.lakestream.format.Names;
import io.lakestream.model.Cursor;
import io.lakestream.model.Pin;
import io.lakestream.model.Reclaimed;
import io.lakestream.model.StepReclaimed;
import io.lakestream.policy.ReclaimSettings;
import io.lakestream.store.Listings;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.testkit.fault.Fault;
import io.lakestream.testkit.fault.FaultRule;
import io.lakestream.testkit.simulation.SimulatedProcess;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Reclamation meets stale hints, readers that stop, writers that sleep, and pins that go. */
final class ReclamationTest {
  private static final int BATCHES = 50;

  private static Reclaimed reclaim(Scene scene) throws InterruptedException {
    try (Namespace stream = scene.open(scene.director())) {
      return stream.lifecycle().reclaim(ReclaimSettings.DEFAULT.keeping(1));
    }
  }

  private static Pin pin(Scene scene, long step) {
    try (Namespace stream = scene.open(scene.director())) {
      return stream.lifecycle().pin(step, "checkpoint");
    }
  }

  private static List<String> data(Scene scene) throws IOException {
    return Listings.keys(scene.store(), Names.DATA);
  }

  @Test
  void aHintThatStaysBehindMakesNobodyTakeWhatIsPublishedForAnOrphan() throws Exception {
    Scene.play(
        1,
        scene -> {
          scene.produce(scene.director(), "p", 2);
          scene.add(FaultRule.often(Operation.PUT, Names.HINT, 1, new Fault.Denied()));
          scene.produce(scene.director(), "p", BATCHES - 2);
          List<String> published = data(scene);
          assertThat(reclaim(scene).orphans()).isZero();
          assertThat(data(scene)).isEqualTo(published);
          scene.assertHolds(Map.of("p", BATCHES));
        });
  }

  @Test
  void aReaderThatStopsFindsWhatAPinKeepsAndIsToldOfTheRest() throws Exception {
    for (boolean isPinned : List.of(true, false)) {
      Scene.play(
          2,
          scene -> {
            scene.produce(scene.director(), "p", BATCHES);
            Pin kept = pin(scene, isPinned ? 0 : BATCHES - 1);
            SimulatedProcess process = scene.world().process("reader");
            BooleanSupplier hasEnded =
                scene.start(process, (name, own) -> readAll(scene, own, isPinned));
            scene.sleep(1);
            process.pause(TimeUnit.DAYS.toNanos(1) / 4);
            assertThat(reclaim(scene).firstStep()).isEqualTo(kept.step());
            scene.await(hasEnded);
          });
    }
  }

  private static void readAll(Scene scene, SimulatedProcess process, boolean isPinned)
      throws InterruptedException {
    try (Namespace stream = scene.open(process);
        Consumer consumer =
            stream.consumer(
                Scene.RANK, Cursor.start(stream.uuid()), Scene.TO_HEAD.withPrefetch(2, 1_000, 1))) {
      for (int i = 0; i < 5; i++) {
        assertThat(consumer.next()).isPresent();
      }
      process.environment().clock().sleep(TimeUnit.MINUTES.toNanos(1));
      if (isPinned) {
        for (int i = 5; i < BATCHES; i++) {
          assertThat(consumer.next().orElseThrow().step()).isEqualTo(i);
        }
      } else {
        assertThatExceptionOfType(StepReclaimed.class)
            .isThrownBy(
                () -> {
                  while (consumer.next().isPresent()) {
                    // What was fetched before is handed out.
                  }
                })
            .withMessageContaining("the first step there is now is " + (BATCHES - 1));
      }
    }
  }

  @Test
  void whatAWriterUploadedBeforeItSleptForDaysIsPublishedWhenItWakes() throws Exception {
    Scene.play(
        3,
        scene -> {
          SimulatedProcess process = scene.world().process("sleeper");
          scene.add(
              FaultRule.once(
                  Operation.PUT_IF_ABSENT,
                  Names.manifest(3),
                  new Scene.Stopped(process, TimeUnit.HOURS.toNanos(3))));
          BooleanSupplier hasEnded =
              scene.start(process, (name, own) -> scene.produce(own, name, 3));
          scene.sleep(5);
          assertThat(scene.stored("sleeper")).isEqualTo(1);
          assertThat(data(scene)).as("the second batch is uploaded").hasSize(2);
          scene.produce(scene.director(), "other", 20);
          Pin unused = pin(scene, 10);
          assertThat(reclaim(scene).orphans()).isZero();
          scene.await(hasEnded);
          assertThat(scene.stored("sleeper")).isEqualTo(3);
          assertThat(reclaim(scene).firstStep()).isEqualTo(10);
          try (Namespace stream = scene.open(scene.director());
              Consumer consumer =
                  stream.consumer(Scene.RANK, new Cursor(stream.uuid(), 0, 10, 0), Scene.TO_HEAD)) {
            for (int step = 10; step < 23; step++) {
              assertThat(consumer.next()).as("step %d", step).isPresent();
            }
          }
        });
  }

  @Test
  void whatAPinKeptGoesWithThePin() throws Exception {
    Scene.play(
        4,
        scene -> {
          scene.produce(scene.director(), "p", 2 * BATCHES);
          Pin early = pin(scene, 10);
          Pin unused = pin(scene, 2 * BATCHES);
          assertThat(reclaim(scene).firstStep()).isEqualTo(10);
          assertThat(data(scene)).isNotEmpty();
          try (Namespace stream = scene.open(scene.director())) {
            assertThat(stream.lifecycle().unpin(early.name())).isTrue();
          }
          assertThat(reclaim(scene).firstStep()).isEqualTo(2 * BATCHES);
          assertThat(data(scene)).isEmpty();
          assertThat(Listings.keys(scene.store(), Names.MANIFESTS)).hasSizeLessThan(4);
        });
  }
}
