// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.runtime.Clock;
import io.lakestream.runtime.Tasks;
import io.lakestream.store.Body;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.testkit.simulation.SimulatedProcess;
import io.lakestream.testkit.simulation.Simulation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class DelayedStoreTest {
  private static final long MEAN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final ExecutorService THREADS = Executors.newCachedThreadPool();
  private static final String KEY = "a/k";

  @AfterAll
  static void end() {
    THREADS.shutdownNow();
  }

  /** A caller, and a store that is some way off and tells when a call arrives. */
  private static final class Scene {
    private final Simulation simulation;
    private final SimulatedProcess operator;
    private final SimulatedProcess caller;
    private final Clock clock;
    private final MemoryStore memory = new MemoryStore();
    private final DelayedStore store;
    private final List<Long> arrivals = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private Runnable onArrival = () -> {};

    Scene(long seed) {
      simulation = new Simulation(seed, THREADS, TimeUnit.HOURS.toNanos(1));
      operator = simulation.process("operator", 0);
      caller = simulation.process("caller", 0);
      clock = caller.environment().clock();
      Faults faults = new Faults(new SplittableRandom(seed));
      Set<Operation> all = Set.of(Operation.values());
      faults.add(new FaultRule(all, "", 1, Integer.MAX_VALUE, new Watch()));
      store =
          new DelayedStore(
              new FaultyStore(
                  memory, faults, caller.environment(), operator.environment(), caller::kill),
              caller.environment(),
              MEAN_NANOS);
    }

    /** Harms nobody. */
    private final class Watch implements Fault {
      @Override
      public <T> T strike(Request<T> request) throws IOException {
        arrivals.add(simulation.nowNanos());
        onArrival.run();
        return request.make();
      }
    }

    void run(SimulatedProcess.Body body) throws InterruptedException {
      caller.start("main", body);
      assertThat(simulation.run()).isEmpty();
    }

    /** A call by a task that can be interrupted. */
    Tasks.Task call(SimulatedProcess.Body body) {
      return caller
          .environment()
          .tasks()
          .start(
              "call",
              () -> {
                try {
                  body.run();
                } catch (Exception e) {
                  events.add(e.getClass().getSimpleName() + ": " + e.getMessage());
                }
                // Given back, so that the next wait ends too.
                events.add("interrupted: " + Thread.currentThread().isInterrupted());
              });
    }
  }

  @Test
  void everyCallTakesTimeOnBothWays() throws InterruptedException {
    Scene scene = new Scene(1);
    DelayedStore store = scene.store;
    List<SimulatedProcess.Body> calls =
        List.of(
            () -> assertThat(store.putIfAbsent(KEY, Body.of())).isEqualTo(PutOutcome.CREATED),
            () -> store.put(KEY, Body.of(new byte[3])),
            () -> assertThat(store.read(KEY)).isPresent(),
            () -> assertThat(store.read(KEY, 0, 1)).isPresent(),
            () -> assertThat(store.readSuffix(KEY, 1)).isPresent(),
            () -> assertThat(store.size(KEY)).hasValue(3),
            () -> assertThat(store.list("a/", Optional.empty()).entries()).hasSize(1),
            () -> assertThat(store.delete(List.of(KEY))).isEmpty());
    scene.run(
        () -> {
          for (SimulatedProcess.Body call : calls) {
            long start = scene.clock.nanoTime();
            scene.arrivals.clear();
            call.run();
            assertThat(scene.arrivals).hasSize(1);
            assertThat(scene.arrivals.get(0)).isGreaterThan(start);
            assertThat(scene.clock.nanoTime()).isGreaterThan(scene.arrivals.get(0));
          }
        });
    assertThat(calls).hasSameSizeAs(Operation.values());
  }

  @Test
  void theMeanTimeIsHalfOnEachWay() throws InterruptedException {
    Scene scene = new Scene(1);
    int calls = 4_000;
    long[] there = new long[1];
    scene.run(
        () -> {
          for (int i = 0; i < calls; i++) {
            long start = scene.clock.nanoTime();
            assertThat(scene.store.read(KEY)).isEmpty();
            there[0] += scene.arrivals.get(i) - start;
          }
        });
    assertThat(scene.simulation.nowNanos() / calls)
        .isBetween(MEAN_NANOS * 9 / 10, MEAN_NANOS * 11 / 10);
    assertThat(there[0] / calls).isBetween(MEAN_NANOS * 4 / 10, MEAN_NANOS * 6 / 10);
  }

  @Test
  void aCallerKilledOnTheWayThereHasNoEffect() throws Exception {
    Scene scene = new Scene(1);
    scene.operator.start("main", scene.caller::kill);
    scene.run(() -> scene.events.add("answered " + scene.store.putIfAbsent(KEY, Body.of())));
    assertThat(scene.events).isEmpty();
    assertThat(scene.memory.read(KEY)).isEmpty();
  }

  @Test
  void aCallerKilledOnTheWayBackLeavesTheEffect() throws Exception {
    Scene scene = new Scene(1);
    scene.operator.start(
        "main",
        () -> {
          while (scene.memory.read(KEY).isEmpty()) {
            scene.clock.sleep(1_000);
          }
          scene.caller.kill();
        });
    scene.run(() -> scene.events.add("answered " + scene.store.putIfAbsent(KEY, Body.of())));
    assertThat(scene.events).isEmpty();
    assertThat(scene.memory.read(KEY)).isPresent();
  }

  @Test
  void aDeathAtAnyTimeLeavesAllOrNothingAndNoAnswerWithoutEffect() throws Exception {
    Set<String> seen = new TreeSet<>();
    for (int seed = 0; seed < 200; seed++) {
      Scene scene = new Scene(seed);
      long nanos = scene.simulation.split().nextLong(2 * MEAN_NANOS);
      scene.operator.start(
          "main",
          () -> {
            scene.operator.environment().clock().sleep(nanos);
            scene.caller.kill();
          });
      scene.run(() -> scene.events.add(scene.store.putIfAbsent(KEY, Body.of()).toString()));
      seen.add("%s, %s".formatted(scene.events, scene.memory.read(KEY).isPresent()));
    }
    assertThat(seen).containsExactly("[CREATED], true", "[], false", "[], true");
  }

  @Test
  void aCreateInterruptedOnTheWayThereHasNoEffect() throws Exception {
    Scene scene = new Scene(1);
    Tasks.Task call = scene.call(() -> scene.store.putIfAbsent(KEY, Body.of()));
    call.interrupt();
    assertThat(scene.simulation.run()).isEmpty();
    assertThat(scene.events)
        .containsExactly(
            "InterruptedIOException: putIfAbsent of 'a/k' was interrupted", "interrupted: true");
    assertThat(scene.memory.read(KEY)).isEmpty();
  }

  @Test
  void aCreateInterruptedOnTheWayBackIsUnknown() throws Exception {
    Scene scene = new Scene(1);
    Tasks.Task call =
        scene.call(() -> scene.events.add(scene.store.putIfAbsent(KEY, Body.of()).toString()));
    scene.onArrival = call::interrupt;
    assertThat(scene.simulation.run()).isEmpty();
    assertThat(scene.events).containsExactly("UNKNOWN", "interrupted: true");
    assertThat(scene.memory.read(KEY)).isPresent();
  }

  @Test
  void aReadInterruptedOnTheWayBackFails() throws InterruptedException {
    Scene scene = new Scene(1);
    Tasks.Task call = scene.call(() -> scene.store.read(KEY));
    scene.onArrival = call::interrupt;
    assertThat(scene.simulation.run()).isEmpty();
    assertThat(scene.events)
        .containsExactly(
            "InterruptedIOException: read of 'a/k' was interrupted", "interrupted: true");
  }

  @Test
  void closingClosesTheStore() throws IOException {
    Scene scene = new Scene(1);
    scene.store.close();
    assertThatThrownBy(() -> scene.memory.read(KEY)).hasMessageContaining("closed");
  }
}
