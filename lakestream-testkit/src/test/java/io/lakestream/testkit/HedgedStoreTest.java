// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.runtime.Tasks;
import io.lakestream.store.Body;
import io.lakestream.store.HedgedStore;
import io.lakestream.store.HedgedStore.Settings;
import io.lakestream.store.PutOutcome;
import io.lakestream.testkit.simulation.SimulatedProcess;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In virtual time. Of reads that nothing is said of, each takes 20 ms. */
class HedgedStoreTest {
  private static final long HANGING = TimeUnit.SECONDS.toMillis(60);
  private static final ExecutorService THREADS = Executors.newCachedThreadPool();

  @AfterAll
  static void end() {
    THREADS.shutdownNow();
  }

  private final Stage stage = new Stage(1, THREADS, () -> 20);
  private final SlowStore slow = stage.store();
  private final HedgedStore store = hedged(Settings.DEFAULT);

  private HedgedStore hedged(Settings settings) {
    return new HedgedStore(slow, settings, stage.environment());
  }

  /** Runs, and closes the store, so that its threads end. */
  private void run(SimulatedProcess.Body body) throws InterruptedException {
    stage.run(
        () -> {
          try (store) {
            body.run();
          }
        });
  }

  private void read() throws IOException {
    assertThat(store.read("k")).isEmpty();
  }

  @Test
  void whatIsAnsweredInTimeIsAskedOnce() throws Exception {
    run(
        () -> {
          for (int i = 0; i < 500; i++) {
            read();
          }
          assertThat(stage.nowMillis()).isEqualTo(500 * 20);
          assertThat(store.hedges()).isZero();
          assertThat(slow.calls()).hasSize(500);
        });
  }

  @Test
  void theAnswersOfTheStoreComeThrough() throws Exception {
    run(
        () -> {
          assertThat(store.putIfAbsent("k", Body.of(new byte[5]))).isEqualTo(PutOutcome.CREATED);
          assertThat(store.read("k").orElseThrow().remaining()).isEqualTo(5);
          assertThat(store.read("k", 1, 3).orElseThrow().remaining()).isEqualTo(3);
          assertThat(store.readSuffix("k", 2).orElseThrow().remaining()).isEqualTo(2);
          assertThat(store.size("k")).hasValue(5);
          assertThat(store.size("l")).isEmpty();
        });
  }

  @Test
  void aReadThatHangsIsAskedForAgainAndTheFirstAttemptIsLetGo() throws Exception {
    slow.then(HANGING);
    run(
        () -> {
          read();
          assertThat(stage.nowMillis()).isEqualTo(2_000 + 20);
          assertThat(slow.calls()).containsExactly("read at 0", "read at 2000");
          assertThat(store.hedges()).isEqualTo(1);
          stage.clock().sleep(1);
          assertThat(slow.letGo()).isEqualTo(1);
          assertThat(slow.underWay()).isZero();
        });
  }

  @Test
  void everyKindOfReadIsHedged() throws Exception {
    run(
        () -> {
          slow.then(HANGING);
          read();
          slow.then(HANGING);
          assertThat(store.read("k", 0, 1)).isEmpty();
          slow.then(HANGING);
          assertThat(store.readSuffix("k", 1)).isEmpty();
          slow.then(HANGING);
          assertThat(store.size("k")).isEmpty();
          assertThat(stage.nowMillis()).isEqualTo(4 * 2_020);
          assertThat(store.hedges()).isEqualTo(4);
        });
  }

  @Test
  void writesAndListingsAreMadeOnceHoweverLongTheyTake() throws Exception {
    run(
        () -> {
          slow.then(HANGING).then(HANGING).then(HANGING).then(HANGING);
          assertThat(store.putIfAbsent("k", Body.of())).isEqualTo(PutOutcome.CREATED);
          store.put("k", Body.of());
          assertThat(store.list("", Optional.empty()).entries()).hasSize(1);
          assertThat(store.delete(List.of("k"))).isEmpty();
          assertThat(slow.calls()).hasSize(4);
          assertThat(stage.nowMillis()).isEqualTo(4 * HANGING);
        });
  }

  @Test
  void theFirstAttemptStillCountsIfItIsAnsweredFirst() throws Exception {
    slow.then(3_000).then(HANGING);
    run(
        () -> {
          read();
          assertThat(stage.nowMillis()).isEqualTo(3_000);
          assertThat(store.hedges()).isEqualTo(1);
        });
  }

  @Test
  void ifTheSecondAttemptHangsTooAThirdIsMadeAndNoFourth() throws Exception {
    slow.then(HANGING).then(HANGING).then(HANGING);
    run(
        () -> {
          read();
          assertThat(slow.calls()).containsExactly("read at 0", "read at 2000", "read at 10000");
          assertThat(stage.nowMillis()).isEqualTo(HANGING);
          assertThat(store.hedges()).isEqualTo(2);
        });
  }

  @Test
  void aFailureGoesUpAtOnceIfNothingElseIsUnderWay() throws Exception {
    IOException failure = new IOException("denied");
    slow.thenFail(30, failure);
    run(
        () -> {
          assertThatThrownBy(this::read).isSameAs(failure);
          assertThat(stage.nowMillis()).isEqualTo(30);
          assertThat(store.hedges()).isZero();
        });
  }

  @Test
  void aFailureWaitsForTheOtherAttempt() throws Exception {
    slow.thenFail(3_000, new IOException("reset")).then(3_000);
    slow.then(4_000).thenFail(10, new IOException("busy"));
    run(
        () -> {
          read();
          assertThat(stage.nowMillis()).isEqualTo(2_000 + 3_000);
          read();
          assertThat(stage.nowMillis()).isEqualTo(5_000 + 4_000);
        });
  }

  @Test
  void ifAllAttemptsFailTheFirstFailureGoesUpWithTheOthers() throws Exception {
    IOException first = new IOException("first");
    IOException second = new IOException("second");
    slow.thenFail(3_000, second).thenFail(500, first);
    run(
        () -> {
          assertThatThrownBy(this::read).isSameAs(first).hasSuppressedException(second);
          assertThat(stage.nowMillis()).isEqualTo(3_000);
        });
  }

  @Test
  void anInterruptEndsTheReadAndItsAttempts() throws Exception {
    slow.then(HANGING).then(HANGING);
    List<String> seen = new ArrayList<>();
    run(
        () -> {
          Tasks.Task reader =
              stage.start(
                  "reader",
                  () -> {
                    assertThatThrownBy(() -> store.read("a/k"))
                        .isInstanceOf(InterruptedIOException.class)
                        .hasMessage("read of 'a/k' was interrupted");
                    seen.add("interrupted: " + Thread.currentThread().isInterrupted());
                  });
          stage.clock().sleep(TimeUnit.SECONDS.toNanos(3));
          reader.interrupt();
          reader.join();
          assertThat(stage.nowMillis()).isEqualTo(3_000);
          stage.clock().sleep(1);
          assertThat(slow.letGo()).isEqualTo(2);
          assertThat(seen).containsExactly("interrupted: true");
        });
  }

  /** The run is over only when all threads have ended. */
  @Test
  void closingDoesNotWaitForAttemptsAndEndsAllThreads() throws Exception {
    slow.thenDeaf(HANGING);
    run(
        () -> {
          read();
          store.close();
          assertThat(stage.nowMillis()).isEqualTo(2_020);
          assertThat(slow.underWay()).isEqualTo(1);
          assertThatThrownBy(this::read).hasMessageContaining("closed");
        });
    assertThat(stage.nowMillis()).isEqualTo(HANGING);
  }

  @Test
  void closingWhileOthersReadLeavesThemTheirAnswers() throws Exception {
    slow.then(HANGING);
    run(
        () -> {
          Tasks.Task reader = stage.start("reader", () -> assertThatThrownBy(this::read));
          stage.clock().sleep(TimeUnit.SECONDS.toNanos(1));
          store.close();
          reader.join();
          assertThat(stage.nowMillis()).isEqualTo(HANGING);
        });
  }

  @Test
  void threadsThatHaveNothingToDoEnd() throws Exception {
    stage.run(
        () -> {
          stage.together(8, this::read);
          assertThat(slow.underWayMax()).isEqualTo(8);
        });
    assertThat(stage.nowMillis()).isBetween(60_000L, 61_000L);
  }

  @Test
  void ifAllThreadsAreBusyTheCallerReadsItselfUnhedged() throws Exception {
    HedgedStore narrow = hedged(new Settings(0.05, 32, 3, 10, 2_000, 2));
    slow.thenDeaf(HANGING).then(10_000);
    stage.run(
        () -> {
          assertThat(narrow.read("k")).isEmpty();
          assertThat(stage.nowMillis()).isEqualTo(12_000);
          assertThat(narrow.hedges()).isEqualTo(1);
          slow.then(HANGING);
          Tasks.Task busy = stage.start("busy", () -> assertThat(narrow.read("k")).isEmpty());
          stage.clock().sleep(1);
          slow.then(5_000);
          assertThat(narrow.read("k")).isEmpty();
          assertThat(stage.nowMillis()).isEqualTo(17_000);
          assertThat(narrow.hedges()).isEqualTo(1);
          busy.join();
          narrow.close();
        });
  }

  @Test
  void whenAReadIsOverdueIsLearntForEachSizeByItself() throws Exception {
    run(
        () -> {
          for (int i = 0; i < 100; i++) {
            assertThat(store.read("k", 0, 1_000)).isEmpty();
          }
          assertHedgedAfter(20, 64 << 10);
          assertHedgedAfter(2_000, (64 << 10) + 1);
          assertHedgedAfter(2_000, (1 << 20) + 1);
          assertHedgedAfter(2_000, (16 << 20) + 1);
        });
  }

  private void assertHedgedAfter(long millis, int length) throws IOException {
    long before = stage.nowMillis();
    slow.then(HANGING);
    assertThat(store.read("k", 0, length)).isEmpty();
    assertThat(stage.nowMillis() - before).isEqualTo(millis + 20);
  }

  /** One caller that waits earns no further hedges while he waits. */
  @Test
  void ifEverythingHangsNoMoreThanTheBurstIsAskedAgain() throws Exception {
    Stage down = new Stage(2, THREADS, () -> HANGING);
    HedgedStore asked = new HedgedStore(down.store(), Settings.DEFAULT, down.environment());
    down.run(
        () -> {
          down.together(64, () -> assertThat(asked.read("k")).isEmpty());
          assertThat(down.nowMillis()).isEqualTo(HANGING);
          assertThat(asked.hedges()).isBetween(32L, 32L + 3);
          asked.close();
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void oneReadInAHundredThatHangsIsHedgedWithinTheShare(long seed) throws Exception {
    int callers = 4;
    int readsEach = 1_500;
    SplittableRandom random = new SplittableRandom(seed);
    long[] hung = new long[1];
    long[] worst = new long[1];
    LongSupplier millis =
        () -> {
          boolean hangs = random.nextInt(100) == 0;
          hung[0] += hangs ? 1 : 0;
          return hangs ? HANGING : 5 + (long) (-Math.log1p(-random.nextDouble()) * 15);
        };
    Stage busy = new Stage(seed, THREADS, millis);
    HedgedStore hedged = new HedgedStore(busy.store(), Settings.DEFAULT, busy.environment());
    busy.run(
        () -> {
          busy.together(
              callers,
              () -> {
                for (int i = 0; i < readsEach; i++) {
                  long before = busy.nowMillis();
                  assertThat(hedged.read("k")).isEmpty();
                  worst[0] = Math.max(worst[0], busy.nowMillis() - before);
                }
              });
          hedged.close();
        });
    assertThat(hung[0]).isGreaterThan(40);
    assertThat(hedged.hedges())
        .isBetween(hung[0], (long) (0.05 * callers * readsEach) + Settings.DEFAULT.burstMax());
    assertThat(worst[0]).as("milliseconds of the longest read").isLessThan(11_000);
  }

  @Test
  void equalSeedsGiveEqualRuns() throws Exception {
    long[] switches = new long[2];
    for (int i = 0; i < 2; i++) {
      SplittableRandom random = new SplittableRandom(5);
      Stage same =
          new Stage(5, THREADS, () -> random.nextInt(20) == 0 ? HANGING : random.nextInt(30));
      HedgedStore hedged = new HedgedStore(same.store(), Settings.DEFAULT, same.environment());
      same.run(
          () -> {
            same.together(
                3,
                () -> {
                  for (int read = 0; read < 100; read++) {
                    assertThat(hedged.read("k")).isEmpty();
                  }
                });
            hedged.close();
          });
      switches[i] = same.switches();
    }
    assertThat(switches[0]).isEqualTo(switches[1]);
  }

  @Test
  void aProcessThatIsKilledMeanwhileEnds() throws Exception {
    slow.then(HANGING).then(HANGING);
    stage.run(
        () -> {
          Tasks.Task unused = stage.start("reader", this::read);
          stage.clock().sleep(TimeUnit.SECONDS.toNanos(3));
          stage.process().kill();
        });
    assertThat(stage.nowMillis()).isEqualTo(3_000);
  }

  @Test
  void theDefaultsAreAsDocumented() {
    assertThat(Settings.DEFAULT).isEqualTo(new Settings(0.05, 32, 3, 10, 2_000, 256));
  }

  @Test
  void settingsThatContradictThemselvesAreRefused() {
    assertThatThrownBy(() -> new Settings(0, 32, 3, 10, 2_000, 256)).hasMessageContaining("shareM");
    assertThatThrownBy(() -> new Settings(1.1, 32, 3, 10, 20, 256)).hasMessageContaining("shareMa");
    assertThatThrownBy(() -> new Settings(1, 1, 3, 10, 20, 256)).hasMessageContaining("burstMax");
    assertThatThrownBy(() -> new Settings(1, 2, 1, 10, 20, 256)).hasMessageContaining("attemptsM");
    assertThatThrownBy(() -> new Settings(1, 2, 2, 0, 20, 9)).hasMessageContaining("delayMillisMi");
    assertThatThrownBy(() -> new Settings(1, 2, 2, 9, 8, 9)).hasMessageContaining("delayMillisSta");
    assertThatThrownBy(() -> new Settings(1, 2, 2, 9, 9, 1)).hasMessageContaining("threadsMax");
  }
}
