// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.Consumer;
import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.format.Names;
import io.lakestream.model.Cursor;
import io.lakestream.model.ProducerFenced;
import io.lakestream.model.SealMode;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.store.Body;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.testkit.fault.Fault;
import io.lakestream.testkit.fault.FaultRule;
import io.lakestream.testkit.simulation.SimulatedProcess;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A put takes effect when the stream has long gone on. */
final class LateRequestsTest {
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  @Test
  void aCopyThatLandsAfterNewerVersionsChangesNothing() throws Exception {
    Scene.play(
        1,
        scene -> {
          scene.add(copied(Names.manifest(5)));
          try (Namespace stream = scene.open(scene.director());
              Producer producer = scene.producer(stream, "p")) {
            scene.write(producer, 20);
            ByteBuffer before = scene.store().read(Names.manifest(5)).orElseThrow();
            scene.sleep(120);
            assertThat(scene.store().read(Names.manifest(5))).contains(before);
            scene.write(producer, 1);
          }
          scene.assertHolds(Map.of("p", 21));
        });
  }

  @Test
  void aCopyThatRevivesADeletedVersionIsBelievedByNobody() throws Exception {
    Scene.play(
        2,
        scene -> {
          scene.add(copied(Names.manifest(5)));
          try (Namespace stream = scene.open(scene.director());
              Producer producer = scene.producer(stream, "p");
              Consumer follower =
                  stream.consumer(
                      Scene.RANK, Cursor.start(stream.uuid()), ConsumerSettings.DEFAULT)) {
            scene.write(producer, 4);
            ByteBuffer staleHint = scene.store().read(Names.HINT).orElseThrow();
            scene.write(producer, 16);
            scene.tidy(15);
            assertThat(scene.store().size(Names.manifest(5))).isEmpty();
            scene.sleep(120);
            assertThat(scene.store().size(Names.manifest(5))).isPresent();
            scene.store().put(Names.HINT, Body.of(staleHint));
            scene.assertHolds(Map.of("p", 20));
            scene.produce(scene.director(), "q", 1);
            scene.write(producer, 1);
            producer.seal(SealMode.WHEN_ALONE);
            scene.assertReads(follower, Map.of("p", 21, "q", 1));
          }
        });
  }

  private static FaultRule copied(String key) {
    return FaultRule.once(Operation.PUT_IF_ABSENT, key, new Fault.Duplicated(MINUTE_NANOS));
  }

  /** Days by which the sleeper's clock is ahead: no used slot is forgotten because of its age. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void aWriterThatSleptOverTheDeletionOfItsSlotPublishesAgain(int daysAhead) throws Exception {
    Scene.play(
        3,
        scene -> {
          SimulatedProcess process = ahead(scene, daysAhead);
          BooleanSupplier hasEnded =
              scene.start(process, (name, own) -> scene.produce(own, name, 3));
          othersCommitWhileItSleeps(scene, process);
          scene.await(hasEnded);
          scene.assertHolds(Map.of("sleeper", 3, "other", 20));
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void aWriterThatSleptOverItsSuccessorIsFenced(int daysAhead) throws Exception {
    Scene.play(
        4,
        scene -> {
          SimulatedProcess process = ahead(scene, daysAhead);
          BooleanSupplier hasEnded =
              scene.start(
                  process,
                  (name, own) ->
                      assertThatExceptionOfType(ProducerFenced.class)
                          .isThrownBy(() -> scene.produce(own, name, 3)));
          othersCommitWhileItSleeps(scene, process);
          scene.produce(scene.director(), "sleeper", 5);
          scene.await(hasEnded);
          scene.assertHolds(Map.of("sleeper", 5, "other", 20));
        });
  }

  private static SimulatedProcess ahead(Scene scene, int days) {
    return scene.world().simulation().process("sleeper", TimeUnit.DAYS.toMillis(days));
  }

  private static void othersCommitWhileItSleeps(Scene scene, SimulatedProcess sleeper)
      throws Exception {
    scene.add(
        FaultRule.once(
            Operation.PUT_IF_ABSENT,
            Names.manifest(2),
            new Scene.Stopped(sleeper, 10 * MINUTE_NANOS)));
    scene.sleep(5);
    assertThat(scene.headVersion()).isEqualTo(1);
    scene.produce(scene.director(), "other", 20);
    scene.tidy(15);
    assertThat(scene.stored("sleeper")).isZero();
  }
}
