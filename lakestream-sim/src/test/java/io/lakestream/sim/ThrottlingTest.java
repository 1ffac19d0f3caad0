// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.Consumer;
import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.store.TransientStoreException;
import io.lakestream.testkit.ForwardingStore;
import io.lakestream.testkit.fault.Fault;
import io.lakestream.testkit.fault.FaultRule;
import io.lakestream.testkit.simulation.SimulatedProcess;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store asks its callers to slow down. */
final class ThrottlingTest {

  /** The rule counts refused changes too, as stores do, so whoever hurries never gets through. */
  @Test
  void aLimitOfOneChangeASecondForEachKeyHoldsUpOnlyWhoLosesTheRace() throws Exception {
    int producers = 8;
    Scene.play(
        1,
        scene -> {
          Map<String, Long> lastNanos = new TreeMap<>();
          int[] refused = new int[1];
          scene.together(
              producers,
              (name, process) -> {
                ObjectStore slow =
                    new OneChangeASecond(scene.store(process), process, lastNanos, refused);
                try (Namespace stream = scene.open(process, slow);
                    Producer producer = scene.producer(stream, name)) {
                  scene.write(producer, 5);
                }
              });
          assertThat(refused[0]).isPositive();
          Map<String, Integer> expected = new TreeMap<>();
          for (int i = 0; i < producers; i++) {
            expected.put("p" + i, 5);
          }
          scene.assertHolds(expected);
        });
  }

  @Test
  void whoLosesARaceAndIsOnlyToldToSlowDownGetsThrough() throws Exception {
    int producers = 4;
    Scene.play(
        3,
        scene -> {
          scene.add(
              FaultRule.often(Operation.PUT_IF_ABSENT, "manifest/", 0.5, new Fault.Contested()));
          scene.together(producers, (name, process) -> scene.produce(process, name, 5));
          scene.assertHolds(Map.of("p0", 5, "p1", 5, "p2", 5, "p3", 5));
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void halfAMinuteOfRefusalsAtTheStartIsOutlasted(long seed) throws Exception {
    Scene.play(
        seed,
        scene -> {
          scene.produce(scene.director(), "p", 1);
          for (Operation operation : Operation.values()) {
            scene.add(FaultRule.often(operation, "", 1, new Fault.Throttled()));
          }
          SimulatedProcess healer = scene.world().process("healer");
          var unused =
              scene.start(
                  healer,
                  (name, process) -> {
                    process.environment().clock().sleep(TimeUnit.SECONDS.toNanos(30));
                    scene.world().faults().heal();
                  });
          try (Namespace stream = scene.open(scene.director());
              Consumer consumer = stream.consumer(Scene.RANK)) {
            assertThat(consumer.next()).isPresent();
          }
          scene.produce(scene.director(), "p", 1);
          scene.assertHolds(Map.of("p", 2));
        });
  }

  private static final class OneChangeASecond extends ForwardingStore {
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SimulatedProcess process;
    private final Map<String, Long> lastNanos;
    private final int[] refused;

    OneChangeASecond(
        ObjectStore store, SimulatedProcess process, Map<String, Long> lastNanos, int[] refused) {
      super(store);
      this.process = process;
      this.lastNanos = lastNanos;
      this.refused = refused;
    }

    @Override
    protected <T> T forward(Operation operation, String key, Call<T> call) throws IOException {
      if (operation == Operation.PUT || operation == Operation.PUT_IF_ABSENT) {
        change(operation, key);
      }
      return super.forward(operation, key, call);
    }

    private void change(Operation operation, String key) throws IOException {
      long now = process.environment().clock().nanoTime();
      Long last = lastNanos.put(key, now);
      if (last != null && now - last < SECOND_NANOS) {
        refused[0]++;
        throw new TransientStoreException(
            "%s of '%s': one change a second".formatted(operation.label(), key));
      }
    }
  }
}
