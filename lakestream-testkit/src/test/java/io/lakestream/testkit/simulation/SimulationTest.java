// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.runtime.Clock;
import io.lakestream.runtime.Monitor;
import io.lakestream.runtime.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The run as a whole. A baton that is lost shows as a test that does not end. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SimulationTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Simulation simulation = new Simulation(1, threads, 24 * HOUR);
  private final SimulatedProcess process = simulation.process("p", 0);
  private final Clock clock = process.environment().clock();
  private final List<String> events = new ArrayList<>();

  @AfterEach
  void noThreadHangs() throws InterruptedException {
    threads.shutdown();
    boolean areOver = threads.awaitTermination(10, TimeUnit.SECONDS);
    threads.shutdownNow();
    assertThat(areOver).isTrue();
  }

  private void endsWell() throws InterruptedException {
    assertThat(simulation.run()).isEmpty();
  }

  private Failure fails() throws InterruptedException {
    return simulation.run().orElseThrow();
  }

  @Test
  void aSimulationOfNobodyIsOver() throws InterruptedException {
    endsWell();
    assertThat(simulation.switches()).isZero();
  }

  @Test
  void onlyOneTaskRunsAtATime() throws InterruptedException {
    int[] count = new int[1];
    for (int i = 0; i < 8; i++) {
      process.start(
          "t" + i,
          () -> {
            for (int n = 0; n < 200; n++) {
              count[0] = slowlyPlusOne(count[0]);
              clock.sleep(1L + n % 3);
            }
          });
    }
    endsWell();
    assertThat(count[0]).isEqualTo(8 * 200);
  }

  private static int slowlyPlusOne(int seen) {
    for (int i = 0; i < 100; i++) {
      Thread.onSpinWait();
    }
    return seen + 1;
  }

  @Test
  void anHourOfSleepMovesOnlyTheVirtualClock() throws InterruptedException {
    process.start(
        "main",
        () -> {
          long nanos = clock.nanoTime();
          long millis = clock.epochMillis();
          clock.sleep(HOUR);
          assertThat(clock.nanoTime() - nanos).isEqualTo(HOUR);
          assertThat(clock.epochMillis() - millis).isEqualTo(3_600_000);
        });
    endsWell();
    assertThat(simulation.nowNanos()).isEqualTo(HOUR);
  }

  @Test
  void theClockStandsStillWhileSomebodyCanGoOn() throws InterruptedException {
    Monitor monitor = process.environment().tasks().monitor();
    process.start(
        "busy",
        () -> {
          for (int i = 0; i < 1_000; i++) {
            monitor.change(() -> {});
            assertThat(clock.nanoTime()).isZero();
          }
        });
    process.start("sleepy", () -> clock.sleep(1));
    endsWell();
  }

  @Test
  void sleepersWakeInTheOrderOfTheirTimes() throws InterruptedException {
    for (int i = 1; i <= 5; i++) {
      long seconds = 10L - i;
      process.start(
          "t" + i,
          () -> {
            clock.sleep(seconds * SECOND);
            events.add(seconds + " at " + clock.nanoTime() / SECOND);
          });
    }
    endsWell();
    assertThat(events).containsExactly("5 at 5", "6 at 6", "7 at 7", "8 at 8", "9 at 9");
  }

  @Test
  void processesSeeOneTimeButDaysOfTheirOwn() throws InterruptedException {
    SimulatedProcess late = simulation.process("late", 5_000);
    process.start(
        "main",
        () -> {
          Clock other = late.environment().clock();
          assertThat(other.nanoTime()).isEqualTo(clock.nanoTime());
          assertThat(other.epochMillis() - clock.epochMillis()).isEqualTo(5_000);
        });
    endsWell();
  }

  private List<String> eventsOf(long seed) throws InterruptedException {
    Simulation run = new Simulation(seed, threads, HOUR);
    List<String> seen = new ArrayList<>();
    SimulatedProcess one = run.process("one", 0);
    Monitor monitor = one.environment().tasks().monitor();
    for (int i = 0; i < 5; i++) {
      String name = "t" + i;
      one.start(
          name,
          () -> {
            for (int n = 0; n < 10; n++) {
              monitor.change(() -> seen.add(name));
              one.environment().clock().sleep(one.environment().entropy().nextLong() >>> 40);
            }
          });
    }
    assertThat(run.run()).isEmpty();
    seen.add("%d ns, %d switches".formatted(run.nowNanos(), run.switches()));
    return seen;
  }

  @Test
  void theSameSeedGivesTheSameEvents() throws InterruptedException {
    for (int seed = 0; seed < 20; seed++) {
      assertThat(eventsOf(seed)).isEqualTo(eventsOf(seed));
    }
  }

  @Test
  void otherSeedsGiveOtherEvents() throws InterruptedException {
    List<List<String>> runs = new ArrayList<>();
    for (int seed = 0; seed < 10; seed++) {
      runs.add(eventsOf(seed));
    }
    assertThat(runs).doesNotHaveDuplicates();
  }

  @Test
  void whatATaskThrowsFailsTheRun() throws InterruptedException {
    IllegalStateException wrong = new IllegalStateException("wrong");
    process.start("sleeper", () -> clock.sleep(HOUR));
    process.start(
        "main",
        () -> {
          clock.sleep(SECOND);
          throw wrong;
        });
    Failure failure = fails();
    assertThat(failure.cause()).isSameAs(wrong);
    assertThat(failure.what()).contains("p-main");
    assertThat(failure.nanos()).isEqualTo(SECOND);
    assertThat(simulation.nowNanos()).isEqualTo(SECOND);
  }

  @Test
  void aCheckedExceptionIsTheCauseOfTheCause() throws InterruptedException {
    Exception wrong = new Exception("wrong");
    process.start(
        "main",
        () -> {
          throw wrong;
        });
    assertThat(requireNonNull(fails().cause())).hasCause(wrong);
  }

  @Test
  void whatAConditionThrowsFailsTheRunWhoeverAsks() throws InterruptedException {
    Monitor monitor = process.environment().tasks().monitor();
    IllegalStateException wrong = new IllegalStateException("wrong");
    boolean[] isBroken = new boolean[1];
    process.start(
        "waiter",
        () ->
            monitor.when(
                () -> {
                  if (isBroken[0]) {
                    throw wrong;
                  }
                  return false;
                },
                () -> true));
    process.start(
        "breaker",
        () -> {
          clock.sleep(SECOND);
          isBroken[0] = true;
          clock.sleep(SECOND);
          events.add("went on");
        });
    Failure failure = fails();
    assertThat(failure.cause()).isSameAs(wrong);
    assertThat(failure.what()).contains("p-waiter");
    assertThat(events).isEmpty();
  }

  @Test
  void theFirstFailureIsTheOneReported() throws InterruptedException {
    IllegalStateException first = new IllegalStateException("first");
    process.start(
        "main",
        () -> {
          simulation.fail("said so", first);
          throw new IllegalStateException("second");
        });
    assertThat(fails()).isEqualTo(new Failure("said so", first, 0));
  }

  @Test
  void afterAFailureNobodyHasAnEffect() throws InterruptedException {
    SimulatedProcess other = simulation.process("other", 0);
    other.start(
        "main",
        () -> {
          clock.sleep(2 * SECOND);
          events.add("other went on");
        });
    process.start(
        "main",
        () -> {
          clock.sleep(SECOND);
          simulation.fail("said so", new IllegalStateException());
          clock.sleep(1);
          events.add("went on");
        });
    assertThat(fails().what()).isEqualTo("said so");
    assertThat(events).isEmpty();
  }

  @Test
  void aProcessMadeAfterAFailureNeverRuns() throws InterruptedException {
    process.start(
        "main",
        () -> {
          simulation.fail("said so", new IllegalStateException());
          SimulatedProcess late = simulation.process("late", 0);
          late.start(
              "main",
              () -> {
                events.add("late ran");
                clock.sleep(100 * HOUR);
              });
        });
    assertThat(fails().what()).isEqualTo("said so");
    assertThat(events).isEmpty();
  }

  @Test
  void thatNobodyCanGoOnIsAFailure() throws InterruptedException {
    Monitor monitor = process.environment().tasks().monitor();
    process.start("waiter", () -> monitor.when(() -> false, () -> true));
    Tasks.Task[] self = new Tasks.Task[1];
    process.start(
        "joiner",
        () -> {
          self[0] = Subtask.start(process, "other", () -> monitor.when(() -> false, () -> true));
          self[0].join();
        });
    process.start("sleeper", () -> clock.sleep(Long.MAX_VALUE));
    process.start("leaver", () -> clock.sleep(SECOND));
    Failure failure = fails();
    assertThat(failure.what())
        .contains("nobody can go on", "p-waiter", "p-joiner", "other", "p-sleeper")
        .doesNotContain("p-leaver");
    assertThat(failure.cause()).isNull();
    assertThat(failure.nanos()).isEqualTo(SECOND);
  }

  @Test
  void aRunThatDoesNotEndInTimeIsAFailure() throws InterruptedException {
    process.start(
        "main",
        () -> {
          while (true) {
            clock.sleep(HOUR);
          }
        });
    assertThat(fails().what()).contains("not over in time", "p-main");
    assertThat(simulation.nowNanos()).isEqualTo(24 * HOUR);
  }

  @Test
  void aLateWakeUpThatNobodyNeedsToWaitForIsNotAFailure() throws InterruptedException {
    Monitor monitor = process.environment().tasks().monitor();
    boolean[] isDone = new boolean[1];
    process.start("waiter", () -> monitor.pauseUntil(() -> isDone[0], 100 * HOUR));
    process.start(
        "main",
        () -> {
          clock.sleep(HOUR);
          monitor.change(() -> isDone[0] = true);
        });
    endsWell();
    assertThat(simulation.nowNanos()).isEqualTo(HOUR);
  }

  @Test
  void aHundredSimulationsEndOneAfterTheOther() throws InterruptedException {
    for (int seed = 0; seed < 100; seed++) {
      assertThat(eventsOf(seed)).hasSize(51);
    }
  }

  /** Two tasks play ping-pong; each hand-over goes from one thread to another. */
  private static void tiny(long seed, ExecutorService threads) throws InterruptedException {
    Simulation run = new Simulation(seed, threads, HOUR);
    SimulatedProcess one = run.process("one", 0);
    Monitor monitor = one.environment().tasks().monitor();
    int[] ball = new int[1];
    for (int i = 0; i < 2; i++) {
      int side = i;
      one.start(
          "side" + side,
          () -> {
            for (int n = 0; n < 3; n++) {
              int ignored = monitor.when(() -> ball[0] % 2 == side, () -> ball[0]++);
            }
          });
    }
    assertThat(run.run()).isEmpty();
    assertThat(ball[0]).isEqualTo(6);
  }

  @Test
  void theBatonIsNeverLost() throws InterruptedException {
    for (int seed = 0; seed < 5_000; seed++) {
      tiny(seed, threads);
    }
  }

  @Test
  void theBatonIsNeverLostWithSeveralRunsOnOnePool() throws Exception {
    List<Future<Boolean>> runs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      runs.add(
          threads.submit(
              () -> {
                for (int seed = 0; seed < 1_000; seed++) {
                  tiny(seed, threads);
                }
                return true;
              }));
    }
    for (var run : runs) {
      assertThat(run.get()).isTrue();
    }
  }

  @Test
  void aWakeUpWithoutReasonLosesNothing() throws InterruptedException {
    Queue<Thread> made = new ConcurrentLinkedQueue<>();
    ExecutorService nervous =
        Executors.newCachedThreadPool(
            body -> {
              Thread thread = new Thread(body);
              made.add(thread);
              return thread;
            });
    AtomicBoolean isOver = new AtomicBoolean();
    Thread waker =
        new Thread(
            () -> {
              while (!isOver.get()) {
                made.forEach(LockSupport::unpark);
              }
            });
    waker.start();
    try {
      for (int seed = 0; seed < 2_000; seed++) {
        assertThat(interruptedAt(seed, nervous)).isEqualTo(Optional.of(SECOND));
      }
    } finally {
      isOver.set(true);
      waker.join();
      nervous.shutdownNow();
    }
  }

  private static Optional<Long> interruptedAt(long seed, ExecutorService threads)
      throws InterruptedException {
    Simulation run = new Simulation(seed, threads, 2 * HOUR);
    SimulatedProcess one = run.process("one", 0);
    Clock clock = one.environment().clock();
    List<Long> times = new ArrayList<>();
    Tasks.Task sleeper =
        one.environment()
            .tasks()
            .start(
                "sleeper",
                () -> {
                  try {
                    clock.sleep(HOUR);
                  } catch (InterruptedException e) {
                    times.add(clock.nanoTime());
                  }
                });
    one.start(
        "main",
        () -> {
          clock.sleep(SECOND);
          sleeper.interrupt();
        });
    assertThat(run.run()).isEmpty();
    return times.stream().findFirst();
  }
}
