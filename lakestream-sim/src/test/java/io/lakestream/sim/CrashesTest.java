// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.model.PublicationListener;
import io.lakestream.model.Tgb;
import io.lakestream.policy.PolicyStart;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.testkit.ForwardingStore;
import io.lakestream.testkit.simulation.SimulatedProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A producer dies at the worst moments. */
final class CrashesTest {
  private static final int BATCHES_A_LIFE = 3;

  /** More calls than a short life makes. */
  private static final int CALLS_MAX = 200;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whereverALifeEndsTheNextGoesOnExactlyBehind(boolean isAfterTheEffect) throws Exception {
    Scene.play(
        1,
        scene -> {
          boolean hasEndedByItself = false;
          int lives = 0;
          while (!hasEndedByItself) {
            lives++;
            assertThat(lives).isLessThan(CALLS_MAX);
            hasEndedByItself = live(scene, lives, isAfterTheEffect);
          }
          assertThat(lives).isGreaterThan(4 * BATCHES_A_LIFE);
          scene.assertHolds(Map.of("p", (int) scene.stored("p")));
        });
  }

  /** A life up to a call of the store; whether it ended by itself before. */
  private static boolean live(Scene scene, int lastCall, boolean isAfterTheEffect)
      throws InterruptedException {
    SimulatedProcess process = scene.world().process("p." + lastCall);
    long before = scene.stored("p");
    BooleanSupplier hasEnded =
        scene.start(
            process,
            (name, own) -> {
              ObjectStore mortal =
                  new DeadlyCall(scene.store(own), own, lastCall, isAfterTheEffect);
              try (Namespace stream = scene.open(own, mortal);
                  Producer producer = scene.producer(stream, "p")) {
                assertThat(producer.recoveredTgbs()).isEqualTo(before);
                assertThat(producer.recoveredOffset())
                    .isEqualTo(before == 0 ? Optional.empty() : Optional.of(before + ""));
                scene.write(producer, BATCHES_A_LIFE);
              }
            });
    scene.await(() -> hasEnded.getAsBoolean() || process.isKilled());
    assertThat(scene.stored("p")).isBetween(before, before + BATCHES_A_LIFE);
    return hasEnded.getAsBoolean();
  }

  @Test
  void aProducerThatDiesInTheMiddleOfABatchLeavesNothingToBeSeen() throws Exception {
    ProducerSettings inParts =
        ProducerSettings.DEFAULT
            .withPolicy(PolicyStart.naive())
            .withPending(16)
            .withUploads(1, 1 << 20, 0)
            .withParts(1_024);
    Tgb large = Tgb.raw(Scene.MESH).slice(0, 0, ByteBuffer.allocate(5_000)).build();
    Scene.play(
        2,
        scene -> {
          SimulatedProcess process = scene.world().process("p");
          int[] puts = new int[1];
          var unused =
              scene.start(
                  process,
                  (name, own) -> {
                    ObjectStore mortal = new DeadlyPart(scene.store(own), own, puts);
                    try (Namespace stream = scene.open(own, mortal);
                        Producer producer =
                            stream.producer("p", inParts, PublicationListener.none())) {
                      producer.write(large, "1");
                      producer.flush();
                    }
                  });
          scene.await(process::isKilled);
          scene.sleep(60);
          assertThat(puts[0]).isEqualTo(3);
          assertThat(scene.headVersion()).isEqualTo(1);
          scene.assertHolds(Map.of());
          scene.produce(scene.director(), "p", 2);
          scene.assertHolds(Map.of("p", 2));
        });
  }

  /** Kills the caller in the third put of data. */
  private static final class DeadlyPart extends ForwardingStore {
    private final SimulatedProcess process;
    private final int[] puts;

    DeadlyPart(ObjectStore store, SimulatedProcess process, int[] puts) {
      super(store);
      this.process = process;
      this.puts = puts;
    }

    @Override
    protected <T> T forward(Operation operation, String key, Call<T> call) throws IOException {
      if (operation == Operation.PUT && key.startsWith("data/") && ++puts[0] == 3) {
        process.kill();
      }
      return super.forward(operation, key, call);
    }
  }

  /** Kills the caller at a call, before it has an effect or after. */
  private static final class DeadlyCall extends ForwardingStore {
    private final SimulatedProcess process;
    private final boolean isAfterTheEffect;
    private int callsLeft;

    DeadlyCall(
        ObjectStore store, SimulatedProcess process, int lastCall, boolean isAfterTheEffect) {
      super(store);
      this.process = process;
      this.isAfterTheEffect = isAfterTheEffect;
      this.callsLeft = lastCall;
    }

    @Override
    protected <T> T forward(Operation operation, String key, Call<T> call) throws IOException {
      callsLeft--;
      if (!isAfterTheEffect) {
        dieIfDue();
      }
      T answer = super.forward(operation, key, call);
      dieIfDue();
      return answer;
    }

    private void dieIfDue() {
      if (callsLeft <= 0) {
        process.kill();
      }
    }
  }
}
