// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.runtime.Clock;
import io.lakestream.runtime.Monitor;
import io.lakestream.runtime.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Death, sleep, interrupts and joins. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class SimulatedProcessTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);
  private static final ExecutorService THREADS = Executors.newCachedThreadPool();

  private final Simulation simulation = new Simulation(1, THREADS, 24 * HOUR);
  private final SimulatedProcess operator = simulation.process("operator", 0);
  private final SimulatedProcess process = simulation.process("p", 0);
  private final Clock clock = process.environment().clock();
  private final Monitor monitor = process.environment().tasks().monitor();
  private final List<String> events = new ArrayList<>();

  @AfterAll
  static void end() {
    THREADS.shutdownNow();
  }

  private void endsWell() throws InterruptedException {
    assertThat(simulation.run()).isEmpty();
  }

  private void tell(String what) {
    events.add(what + " at " + clock.nanoTime() / SECOND);
  }

  /** Lets the operator do something after a second. */
  private void afterASecond(SimulatedProcess.Body body) {
    operator.start(
        "main",
        () -> {
          clock.sleep(SECOND);
          body.run();
        });
  }

  @Test
  void theKilledDoNotWakeFromSleep() throws InterruptedException {
    for (String name : List.of("a", "b")) {
      process.start(
          name,
          () -> {
            clock.sleep(2 * SECOND);
            tell("woke");
          });
    }
    afterASecond(process::kill);
    endsWell();
    assertThat(process.isKilled()).isTrue();
    assertThat(operator.isKilled()).isFalse();
    assertThat(events).isEmpty();
    assertThat(simulation.nowNanos()).isEqualTo(SECOND);
  }

  @Test
  void theKilledDoNotSeeTheirConditionComeTrue() throws InterruptedException {
    boolean[] holds = new boolean[1];
    process.start(
        "main",
        () -> {
          monitor.lock();
          try {
            monitor.await(() -> holds[0]);
            tell("saw it");
          } finally {
            monitor.unlock();
          }
        });
    afterASecond(
        () -> {
          process.kill();
          holds[0] = true;
        });
    endsWell();
    assertThat(events).isEmpty();
  }

  @Test
  void finallyBlocksOfTheKilledCannotWait() throws InterruptedException {
    List<SimulatedProcess.Body> waits =
        List.of(
            () -> clock.sleep(1),
            () -> clock.sleep(0),
            monitor::lock,
            () -> monitor.pauseUntil(() -> true, 1),
            () -> Subtask.start(process, "another", () -> tell("another ran")),
            () -> process.start("another", () -> tell("another ran")),
            () -> process.pause(1),
            process::kill);
    for (SimulatedProcess.Body wait : waits) {
      process.start(
          "main",
          () -> {
            try {
              clock.sleep(HOUR);
            } finally {
              wait.run();
              tell("went on");
            }
          });
    }
    afterASecond(process::kill);
    endsWell();
    assertThat(events).isEmpty();
  }

  @Test
  void awaitsInFinallyBlocksOfTheKilledDoNotReturn() throws InterruptedException {
    process.start(
        "main",
        () -> {
          monitor.lock();
          try {
            monitor.await(() -> false);
          } finally {
            monitor.await(() -> true);
            tell("went on");
          }
        });
    afterASecond(process::kill);
    endsWell();
    assertThat(events).isEmpty();
  }

  @Test
  void whatFinallyBlocksOfTheKilledThrowIsNoFailure() throws InterruptedException {
    process.start(
        "main",
        () -> {
          try {
            clock.sleep(HOUR);
          } finally {
            failToClose();
          }
        });
    afterASecond(process::kill);
    endsWell();
    assertThat(events).containsExactly("closed at 1");
  }

  private void failToClose() {
    tell("closed");
    throw new IllegalStateException("cannot be closed");
  }

  @Test
  void aThreadOfTheKilledThatHasNotBegunNeverDoes() throws InterruptedException {
    process.start("main", () -> tell("began"));
    process.kill();
    endsWell();
    assertThat(events).isEmpty();
  }

  @Test
  void aThreadThatKillsItsOwnProcessDoesNotGoOn() throws InterruptedException {
    process.start(
        "main",
        () -> {
          process.kill();
          tell("went on");
        });
    operator.start("main", () -> tell("the operator lives"));
    endsWell();
    assertThat(events).containsExactly("the operator lives at 0");
  }

  @Test
  void aKillWhileOthersHoldAndWaitForLocksIsNoFailure() throws InterruptedException {
    for (int seed = 0; seed < 200; seed++) {
      Simulation run = new Simulation(seed, THREADS, HOUR);
      SimulatedProcess victim = run.process("victim", 0);
      Monitor lock = victim.environment().tasks().monitor();
      for (int i = 0; i < 4; i++) {
        victim.start("t" + i, () -> lockForEver(victim.environment().clock(), lock));
      }
      SimulatedProcess killer = run.process("killer", 0);
      killer.start(
          "main",
          () -> {
            killer.environment().clock().sleep(20);
            victim.kill();
          });
      assertThat(run.run()).isEmpty();
    }
  }

  private static void lockForEver(Clock clock, Monitor lock) throws InterruptedException {
    while (true) {
      boolean ignored = lock.pauseUntil(() -> false, 3);
      lock.change(() -> {});
      clock.sleep(1);
    }
  }

  @Test
  void thePausedDoNotRunThoughTheirConditionHolds() throws InterruptedException {
    boolean[] holds = new boolean[1];
    process.start("waiter", () -> monitor.when(() -> holds[0], () -> events.add("waiter")));
    process.start(
        "sleeper",
        () -> {
          clock.sleep(2 * SECOND);
          tell("sleeper");
        });
    process.start(
        "late sleeper",
        () -> {
          clock.sleep(20 * SECOND);
          tell("late sleeper");
        });
    afterASecond(
        () -> {
          process.pause(9 * SECOND);
          holds[0] = true;
          clock.sleep(9 * SECOND - 1);
          assertThat(events).isEmpty();
        });
    endsWell();
    assertThat(events)
        .containsExactlyInAnyOrder("waiter", "sleeper at 10", "late sleeper at 20")
        .endsWith("late sleeper at 20");
  }

  @Test
  void thatAllOthersWaitForThePausedIsNoDeadlock() throws InterruptedException {
    boolean[] holds = new boolean[1];
    process.start(
        "waiter",
        () -> {
          boolean ignored = monitor.when(() -> holds[0], () -> true);
          tell("waiter");
        });
    Tasks.Task unbegun =
        Subtask.start(
            process, "unbegun", () -> monitor.when(() -> clock.nanoTime() > 0, () -> true));
    afterASecond(
        () -> {
          process.pause(9 * SECOND);
          holds[0] = true;
          unbegun.join();
        });
    endsWell();
    assertThat(events).containsExactly("waiter at 10");
  }

  @Test
  void theLongerOfTwoPausesCounts() throws InterruptedException {
    process.start(
        "main",
        () -> {
          clock.sleep(2 * SECOND);
          tell("woke");
        });
    afterASecond(
        () -> {
          process.pause(9 * SECOND);
          process.pause(SECOND);
        });
    endsWell();
    assertThat(events).containsExactly("woke at 10");
  }

  @Test
  void aThreadThatPausesItsOwnProcessStopsAtOnce() throws InterruptedException {
    process.start(
        "main",
        () -> {
          process.pause(9 * SECOND);
          tell("went on");
        });
    endsWell();
    assertThat(events).containsExactly("went on at 9");
  }

  @Test
  void thePausedCanBeKilled() throws InterruptedException {
    process.start(
        "main",
        () -> {
          clock.sleep(2 * SECOND);
          tell("woke");
        });
    afterASecond(
        () -> {
          process.pause(Long.MAX_VALUE);
          clock.sleep(SECOND);
          process.kill();
        });
    endsWell();
    assertThat(events).isEmpty();
    assertThat(simulation.nowNanos()).isEqualTo(2 * SECOND);
  }

  @Test
  void anInterruptWakesASleeper() throws InterruptedException {
    Tasks.Task sleeper =
        Subtask.start(process, "sleeper", () -> isInterrupted(() -> clock.sleep(Long.MAX_VALUE)));
    afterASecond(sleeper::interrupt);
    endsWell();
    assertThat(events).containsExactly("interrupted at 1");
  }

  @Test
  void anEndlessSleepIsEndlessWheneverItBegins() throws InterruptedException {
    Tasks.Task sleeper =
        Subtask.start(
            process,
            "sleeper",
            () -> {
              clock.sleep(1);
              isInterrupted(() -> clock.sleep(Long.MAX_VALUE));
            });
    afterASecond(sleeper::interrupt);
    endsWell();
    assertThat(events).containsExactly("interrupted at 1");
  }

  @Test
  void anInterruptWakesWhoWaitsOnAMonitor() throws InterruptedException {
    Tasks.Task waiter =
        Subtask.start(
            process,
            "waiter",
            () -> {
              isInterrupted(() -> monitor.when(() -> false, () -> true));
              isInterrupted(() -> monitor.pauseUntil(() -> false, HOUR));
            });
    afterASecond(
        () -> {
          waiter.interrupt();
          clock.sleep(SECOND);
          waiter.interrupt();
        });
    endsWell();
    assertThat(events).containsExactly("interrupted at 1", "interrupted at 2");
  }

  @Test
  void anInterruptWakesWhoJoins() throws InterruptedException {
    Tasks.Task sleeper = Subtask.start(process, "sleeper", () -> clock.sleep(HOUR));
    Tasks.Task joiner = Subtask.start(process, "joiner", () -> isInterrupted(sleeper::join));
    afterASecond(joiner::interrupt);
    endsWell();
    assertThat(events).containsExactly("interrupted at 1");
  }

  @Test
  void anInterruptCountsForTheNextWaitAndForOneOnly() throws InterruptedException {
    Tasks.Task[] self = new Tasks.Task[1];
    self[0] =
        Subtask.start(
            process,
            "main",
            () -> {
              self[0].interrupt();
              for (int i = 0; i < 100; i++) {
                monitor.change(() -> {});
              }
              isInterrupted(() -> clock.sleep(SECOND));
              clock.sleep(SECOND);
              tell("slept");
            });
    endsWell();
    assertThat(events).containsExactly("interrupted at 0", "slept at 1");
  }

  @Test
  void anInterruptGivenBackCountsForTheNextWait() throws InterruptedException {
    process.start(
        "main",
        () -> {
          Thread.currentThread().interrupt();
          isInterrupted(() -> clock.sleep(SECOND));
          Thread.currentThread().interrupt();
          for (int i = 0; i < 100; i++) {
            monitor.change(() -> {});
          }
          isInterrupted(() -> monitor.pauseUntil(() -> false, SECOND));
          clock.sleep(SECOND);
          tell("slept");
        });
    endsWell();
    assertThat(events).containsExactly("interrupted at 0", "interrupted at 0", "slept at 1");
  }

  @Test
  void anInterruptLeftOverAtTheEndReachesNobodyElse() throws InterruptedException {
    process.start("main", () -> Thread.currentThread().interrupt());
    endsWell();
    for (int seed = 0; seed < 20; seed++) {
      Simulation next = new Simulation(seed, THREADS, HOUR);
      SimulatedProcess other = next.process("other", 0);
      other.start("main", () -> other.environment().clock().sleep(SECOND));
      assertThat(next.run()).isEmpty();
    }
  }

  private void isInterrupted(SimulatedProcess.Body wait) throws Exception {
    try {
      wait.run();
      tell("not interrupted");
    } catch (InterruptedException e) {
      tell("interrupted");
    }
  }

  @Test
  void joinWaitsForTheEnd() throws InterruptedException {
    Tasks.Task sleeper = Subtask.start(process, "sleeper", () -> clock.sleep(5 * SECOND));
    process.start(
        "joiner",
        () -> {
          sleeper.join();
          tell("joined");
          sleeper.join();
          tell("joined again");
        });
    endsWell();
    assertThat(events).containsExactly("joined at 5", "joined again at 5");
  }

  @Test
  void joinReturnsForTheKilledToo() throws InterruptedException {
    Tasks.Task sleeper = Subtask.start(process, "sleeper", () -> clock.sleep(HOUR));
    afterASecond(
        () -> {
          process.kill();
          sleeper.join();
          tell("joined");
        });
    endsWell();
    assertThat(events).containsExactly("joined at 1");
  }

  @Test
  void chanceIsTheSeedsAndEachProcessHasItsOwn() {
    List<Long> drawn = new ArrayList<>();
    for (long seed : new long[] {1, 1, 2}) {
      Simulation run = new Simulation(seed, THREADS, HOUR);
      drawn.add(run.process("a", 0).environment().entropy().nextLong());
      drawn.add(run.process("b", 0).environment().entropy().nextLong());
    }
    assertThat(drawn.subList(0, 2)).isEqualTo(drawn.subList(2, 4));
    assertThat(drawn.subList(2, 6)).doesNotHaveDuplicates();
  }
}
