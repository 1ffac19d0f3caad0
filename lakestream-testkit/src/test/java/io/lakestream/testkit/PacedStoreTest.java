// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.runtime.Tasks;
import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PacedStore;
import io.lakestream.store.PacedStore.Settings;
import io.lakestream.store.PutOutcome;
import io.lakestream.store.RetryingStore;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.store.ThrottledException;
import io.lakestream.store.TransientStoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** In virtual time. A call takes 30 ms. */
class PacedStoreTest {
  private static final ExecutorService THREADS = Executors.newCachedThreadPool();

  @AfterAll
  static void end() {
    THREADS.shutdownNow();
  }

  private final Stage stage = new Stage(1, THREADS, () -> 30);
  private final SlowStore slow = stage.store();
  private final PacedStore store = paced(slow, Settings.DEFAULT);

  private PacedStore paced(ObjectStore target, Settings settings) {
    return new PacedStore(target, settings, stage.environment().tasks());
  }

  @Test
  void noMoreCallsAreUnderWayThanThereMayBe() throws Exception {
    PacedStore narrow = paced(slow, new Settings(3, 1));
    stage.run(
        () -> {
          stage.together(10, () -> assertThat(narrow.read("k")).isEmpty());
          assertThat(slow.underWayMax()).isEqualTo(3);
          assertThat(stage.nowMillis()).isEqualTo(4 * 30);
        });
  }

  @Test
  void readsAndWritesAreBoundedApart() throws Exception {
    PacedStore narrow = paced(slow, new Settings(2, 1));
    stage.run(
        () -> {
          stage.together(
              5,
              () -> {
                narrow.put("k", Body.of());
                assertThat(narrow.size("k")).hasValue(0);
              });
          assertThat(slow.underWayMax()).isBetween(2, 3);
          assertThat(stage.nowMillis()).isEqualTo(6 * 30);
        });
  }

  @Test
  void everyKindOfCallIsOneOrTheOther() throws Exception {
    stage.run(
        () -> {
          for (Operation operation : Operation.values()) {
            int reads = store.readsAllowed();
            int writes = store.writesAllowed();
            slow.thenFail(30, new ThrottledException("busy"));
            assertThatThrownBy(() -> make(operation)).hasMessage("busy");
            boolean isWrite =
                switch (operation) {
                  case PUT, PUT_IF_ABSENT, DELETE -> true;
                  default -> false;
                };
            assertThat(store.writesAllowed() < writes).as(operation.label()).isEqualTo(isWrite);
            assertThat(store.readsAllowed() < reads).as(operation.label()).isEqualTo(!isWrite);
            raise();
          }
        });
  }

  private void raise() throws InterruptedException {
    while (store.readsAllowed() < 2 || store.writesAllowed() < 2) {
      stage.together(
          2,
          () -> {
            assertThat(store.size("l")).isEmpty();
            store.put("k", Body.of());
          });
    }
  }

  private void make(Operation operation) throws IOException {
    switch (operation) {
      case PUT_IF_ABSENT ->
          assertThat(store.putIfAbsent("l", Body.of())).isEqualTo(PutOutcome.CREATED);
      case PUT -> store.put("l", Body.of());
      case READ -> assertThat(store.read("l")).isEmpty();
      case READ_RANGE -> assertThat(store.read("l", 0, 1)).isEmpty();
      case READ_SUFFIX -> assertThat(store.readSuffix("l", 1)).isEmpty();
      case SIZE -> assertThat(store.size("l")).isEmpty();
      case LIST -> assertThat(store.list("", Optional.empty()).entries()).isEmpty();
      case DELETE -> assertThat(store.delete(List.of("l"))).isEmpty();
    }
  }

  @Test
  void otherFailuresDoNotSlowItDownAndGiveTheTurnBack() throws Exception {
    PacedStore narrow = paced(slow, new Settings(1, 1));
    stage.run(
        () -> {
          slow.thenFail(30, new TransientStoreException("reset"));
          assertThatThrownBy(() -> narrow.read("k")).hasMessage("reset");
          slow.thenFail(30, new IOException("denied"));
          assertThatThrownBy(() -> narrow.read("k")).hasMessage("denied");
          assertThatThrownBy(() -> narrow.read("/")).isInstanceOf(IllegalArgumentException.class);
          assertThat(narrow.read("k")).isEmpty();
          assertThat(narrow.readsAllowed()).isEqualTo(1);
        });
  }

  @Test
  void whoWaitsForHisTurnCanBeInterrupted() throws Exception {
    PacedStore narrow = paced(slow, new Settings(1, 1));
    List<String> seen = new ArrayList<>();
    slow.then(60_000);
    stage.run(
        () -> {
          Tasks.Task first = stage.start("first", () -> assertThat(narrow.read("k")).isEmpty());
          stage.clock().sleep(1);
          Tasks.Task starved =
              stage.start(
                  "starved",
                  () -> {
                    assertThatThrownBy(() -> narrow.read("a/k"))
                        .isInstanceOf(InterruptedIOException.class)
                        .hasMessageContaining("read of 'a/k' was interrupted");
                    seen.add("interrupted: " + Thread.currentThread().isInterrupted());
                  });
          stage.clock().sleep(TimeUnit.SECONDS.toNanos(1));
          starved.interrupt();
          starved.join();
          assertThat(stage.nowMillis()).isEqualTo(1_000);
          assertThat(seen).containsExactly("interrupted: true");
          assertThat(slow.calls()).hasSize(1);
          first.join();
          assertThat(narrow.read("k")).as("the turn was not lost").isEmpty();
        });
  }

  /** A store that serves so many calls at once, and refuses what is more. */
  private static final class NarrowStore extends ForwardingStore {
    private final SlowStore slow;
    private int width;
    private int refused;

    NarrowStore(SlowStore slow, int width) {
      super(slow);
      this.slow = slow;
      this.width = width;
    }

    @Override
    protected <T> T forward(Operation operation, String key, Call<T> call) throws IOException {
      if (slow.underWay() >= width) {
        refused++;
        throw new ThrottledException(operation.label() + " of '" + key + "': slow down");
      }
      return super.forward(operation, key, call);
    }
  }

  @Test
  void itSettlesAtWhatTheStoreTakesAndRisesAgainWhenThatIsMore() throws Exception {
    NarrowStore narrow = new NarrowStore(slow, 8);
    PacedStore paced = paced(narrow, Settings.DEFAULT);
    ObjectStore retrying =
        new RetryingStore(paced, RetryingStore.Settings.DEFAULT, stage.environment());
    int callers = 64;
    int readsEach = 100;
    stage.run(
        () -> {
          stage.together(callers, () -> readMany(retrying, readsEach));
          assertThat(paced.readsAllowed()).isBetween(4, 8);
          assertThat(narrow.refused)
              .as("refused of %d calls", callers * readsEach)
              .isLessThan(callers * readsEach / 20);
          int before = narrow.refused;
          narrow.width = callers;
          stage.together(callers, () -> readMany(retrying, 10 * readsEach));
          assertThat(paced.readsAllowed()).isEqualTo(callers);
          assertThat(narrow.refused).isEqualTo(before);
          assertThat(paced.writesAllowed()).isEqualTo(32);
        });
  }

  private static void readMany(ObjectStore store, int reads) throws IOException {
    for (int i = 0; i < reads; i++) {
      assertThat(store.read("k")).isEmpty();
    }
  }

  @Test
  void theDefaultsAreAsDocumented() {
    assertThat(Settings.DEFAULT).isEqualTo(new Settings(64, 32));
  }

  @Test
  void settingsThatContradictThemselvesAreRefused() {
    assertThatThrownBy(() -> new Settings(0, 1)).hasMessageContaining("readsMax");
    assertThatThrownBy(() -> new Settings(1, 0)).hasMessageContaining("writesMax");
  }
}
