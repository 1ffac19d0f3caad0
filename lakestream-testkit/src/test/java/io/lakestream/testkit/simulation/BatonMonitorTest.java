// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.runtime.Clock;
import io.lakestream.runtime.Monitor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class BatonMonitorTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);
  private static final ExecutorService THREADS = Executors.newCachedThreadPool();

  private final Simulation simulation = new Simulation(1, THREADS, 24 * HOUR);
  private final SimulatedProcess process = simulation.process("p", 0);
  private final Clock clock = process.environment().clock();
  private final Monitor monitor = process.environment().tasks().monitor();
  private final boolean[] holds = new boolean[1];

  @AfterAll
  static void end() {
    THREADS.shutdownNow();
  }

  private void endsWell() throws InterruptedException {
    assertThat(simulation.run()).isEmpty();
  }

  private void failsBecause(String why) throws InterruptedException {
    assertThat(simulation.run())
        .hasValueSatisfying(
            failure ->
                assertThat(failure.cause())
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining(why));
  }

  @Test
  void aTimedAwaitEndsWhenItsTimeIsOver() throws InterruptedException {
    process.start(
        "main",
        () -> {
          assertThat(monitor.pauseUntil(() -> false, SECOND)).isFalse();
          assertThat(clock.nanoTime()).isEqualTo(SECOND);
          assertThat(monitor.pauseUntil(() -> false, 0)).isFalse();
          assertThat(monitor.pauseUntil(() -> false, -SECOND)).isFalse();
          assertThat(clock.nanoTime()).isEqualTo(SECOND);
        });
    endsWell();
  }

  @Test
  void aTimedAwaitEndsWhenTheConditionCame() throws InterruptedException {
    process.start(
        "waiter",
        () -> {
          assertThat(monitor.pauseUntil(() -> holds[0], HOUR)).isTrue();
          assertThat(clock.nanoTime()).isEqualTo(SECOND);
          assertThat(monitor.pauseUntil(() -> holds[0], 0)).isTrue();
        });
    process.start(
        "setter",
        () -> {
          clock.sleep(SECOND);
          monitor.change(() -> holds[0] = true);
        });
    endsWell();
    assertThat(simulation.nowNanos()).isEqualTo(SECOND);
  }

  @Test
  void aTimedAwaitTakesAnyTime() throws InterruptedException {
    process.start("waiter", () -> monitor.pauseUntil(() -> holds[0], Long.MAX_VALUE));
    process.start(
        "setter",
        () -> {
          clock.sleep(SECOND);
          monitor.change(() -> holds[0] = true);
        });
    endsWell();
  }

  @Test
  void theConditionHoldsWhenAnAwaitReturns() throws InterruptedException {
    int[] tokens = new int[1];
    int[] taken = new int[1];
    for (int i = 0; i < 5; i++) {
      process.start(
          "taker" + i,
          () -> {
            for (int n = 0; n < 20; n++) {
              int left = monitor.when(() -> tokens[0] > 0, () -> --tokens[0]);
              assertThat(left).isNotNegative();
              taken[0]++;
            }
          });
    }
    process.start(
        "giver",
        () -> {
          for (int n = 0; n < 100; n++) {
            clock.sleep(1);
            monitor.change(() -> tokens[0]++);
          }
        });
    endsWell();
    assertThat(taken[0]).isEqualTo(100);
  }

  @Test
  void aQueueBetweenTasksLosesNothing() throws InterruptedException {
    Queue<Integer> queue = new ArrayDeque<>();
    List<Integer> received = new ArrayList<>();
    process.start(
        "sender",
        () -> {
          for (int i = 0; i < 100; i++) {
            int item = i;
            boolean ignored = monitor.when(() -> queue.size() < 2, () -> queue.add(item));
          }
        });
    process.start(
        "receiver",
        () -> {
          for (int i = 0; i < 100; i++) {
            received.add(monitor.when(() -> !queue.isEmpty(), queue::remove));
          }
        });
    endsWell();
    assertThat(received).hasSize(100).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void anotherMayComeJustBeforeALockIsTaken() throws InterruptedException {
    List<String> orders = new ArrayList<>();
    for (int seed = 0; seed < 100; seed++) {
      Simulation run = new Simulation(seed, THREADS, HOUR);
      SimulatedProcess one = run.process("one", 0);
      Monitor lock = one.environment().tasks().monitor();
      StringBuilder order = new StringBuilder();
      for (String name : List.of("a", "b")) {
        one.start(
            name,
            () -> {
              lock.change(() -> order.append(name));
              lock.change(() -> order.append(name));
            });
      }
      assertThat(run.run()).isEmpty();
      orders.add(order.toString());
    }
    assertThat(orders).contains("aabb", "bbaa").containsAnyOf("abab", "abba", "baba", "baab");
  }

  @Test
  void aSleepUnderALockIsFoundByWhoTakesIt() throws InterruptedException {
    process.start("sleeper", () -> sleepWhileHolding());
    process.start(
        "other",
        () -> {
          clock.sleep(1);
          monitor.change(() -> {});
        });
    failsBecause("p-other takes a lock that p-sleeper holds");
  }

  @Test
  void aSleepUnderALockIsFoundByWhoAwokeToIt() throws InterruptedException {
    process.start("other", () -> monitor.pauseUntil(() -> false, 2));
    process.start(
        "sleeper",
        () -> {
          clock.sleep(1);
          sleepWhileHolding();
        });
    failsBecause("p-other takes a lock that p-sleeper holds");
  }

  private void sleepWhileHolding() throws InterruptedException {
    monitor.lock();
    try {
      clock.sleep(SECOND);
    } finally {
      monitor.unlock();
    }
  }

  @Test
  void aLockIsNotReentrant() throws InterruptedException {
    process.start("main", () -> monitor.change(() -> monitor.change(() -> {})));
    failsBecause("p-main takes a lock that p-main holds");
  }

  @Test
  void onlyItsHolderGivesALockBack() throws InterruptedException {
    process.start("main", monitor::unlock);
    failsBecause("p-main gives back a lock that it does not hold");
  }

  @Test
  void onlyTheHolderOfTheLockAwaits() throws InterruptedException {
    process.start("main", () -> monitor.await(() -> false));
    failsBecause("p-main gives back a lock that it does not hold");
  }

  @Test
  void aLockIsOfNoUseOutsideOfTheSimulation() {
    assertThatThrownBy(monitor::lock)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("outside of the simulation");
  }
}
