// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.format.Hint;
import io.lakestream.format.Names;
import io.lakestream.store.Body;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.testkit.fault.Fault;
import io.lakestream.testkit.fault.FaultRule;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The hint is wrong, and nothing comes of it. */
final class HintsTest {
  private static final int BATCHES = 50;

  @Test
  void aHintFrozenForFiftyVersionsMisleadsNobody() throws Exception {
    Scene.play(
        1,
        scene -> {
          scene.add(FaultRule.often(Operation.PUT, Names.HINT, 1, new Fault.Denied()));
          scene.produce(scene.director(), "p", BATCHES);
          assertThat(scene.store().read(Names.HINT)).isEmpty();
          scene.world().faults().heal();
          assertEverybodyGoesOn(scene);
        });
  }

  /** To a version that lives, to one that was deleted, to the one before the first. */
  @ParameterizedTest
  @ValueSource(longs = {45, 20, 1, 0})
  void aHintThatWasRolledBackMisleadsNobody(long version) throws Exception {
    assertMisleadsNobody(new Hint(version, 0));
  }

  @ParameterizedTest
  @ValueSource(longs = {53, 1_000, 1L << 40})
  void aHintToVersionsThatWereNeverMadeMisleadsNobody(long version) throws Exception {
    assertMisleadsNobody(new Hint(version, 0));
    assertMisleadsNobody(new Hint(version, 7));
  }

  private static void assertMisleadsNobody(Hint hint) throws InterruptedException {
    Scene.play(
        2,
        scene -> {
          scene.produce(scene.director(), "p", BATCHES);
          scene.tidy(40);
          scene.store().put(Names.HINT, Body.of(hint.encode(scene.world().namespace())));
          assertEverybodyGoesOn(scene);
        });
  }

  @Test
  void aHintOfAnyBytesMisleadsNobody() throws Exception {
    Scene.play(
        3,
        scene -> {
          scene.produce(scene.director(), "p", BATCHES);
          byte[] sound = Body.of(new Hint(51, 0).encode(scene.world().namespace())).toArray();
          byte[] flipped = sound.clone();
          flipped[flipped.length / 2] ^= 1;
          byte[] shortened = ByteBuffer.allocate(sound.length / 2).put(sound, 0, 8).array();
          for (byte[] bytes : List.of(flipped, shortened, new byte[0], new byte[1_000])) {
            scene.store().put(Names.HINT, Body.of(bytes));
            assertThatCode(() -> scene.assertHolds(Map.of("p", BATCHES)))
                .doesNotThrowAnyException();
          }
          assertEverybodyGoesOn(scene);
        });
  }

  @Test
  void hintsThatComeLateOrDamagedMisleadNobody() throws Exception {
    for (Fault fault :
        List.of(
            new Fault.Stale(),
            new Fault.FlippedBit(),
            new Fault.ShortBody(),
            new Fault.LongBody())) {
      Scene.play(
          4,
          scene -> {
            scene.add(FaultRule.often(Operation.READ, Names.HINT, 1, fault));
            for (int i = 0; i < BATCHES; i += 10) {
              scene.produce(scene.director(), "p", 10);
            }
            scene.tidy(40);
            assertEverybodyGoesOn(scene);
          });
    }
  }

  private static void assertEverybodyGoesOn(Scene scene) throws InterruptedException {
    scene.assertHolds(Map.of("p", BATCHES));
    try (Namespace stream = scene.open(scene.director());
        Producer producer = scene.producer(stream, "p")) {
      assertThat(producer.recoveredTgbs()).isEqualTo(BATCHES);
      scene.write(producer, 1);
    }
    scene.assertHolds(Map.of("p", BATCHES + 1));
  }
}
