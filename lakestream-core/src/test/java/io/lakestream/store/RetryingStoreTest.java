// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RetryingStoreTest {
  private static final Body BODY = Body.of(new byte[] {1, 2, 3});

  /** Three attempts, with as long a wait behind the first as behind the second. */
  private static final RetryingStore.Settings SETTINGS = new RetryingStore.Settings(100, 100, 200);

  private final ScriptedStore script = new ScriptedStore();
  private final FakeTime time = new FakeTime(7);
  private final ObjectStore store = new RetryingStore(script, SETTINGS, time.environment());

  @Test
  void everyCallIsRepeatedAfterATransientFailure() throws IOException {
    for (Call call : calls().subList(1, calls().size())) {
      script.fail(new TransientStoreException("busy"), new TransientStoreException("busy"));
      script.calls().clear();
      call.make();
      assertThat(script.calls()).hasSize(3);
      assertThat(script.calls().stream().distinct()).hasSize(1);
    }
  }

  @Test
  void aRefusedCreationIsRepeatedIfTheKeyIsStillFree() throws IOException {
    script.fail(new TransientStoreException("busy"), new TransientStoreException("busy"));
    assertThat(store.putIfAbsent("a/k", BODY)).isEqualTo(PutOutcome.CREATED);
    assertThat(script.calls()).containsExactly("putIfAbsent", "size", "size", "putIfAbsent");
  }

  @Test
  void aRefusedCreationIsNotRepeatedIfTheKeyIsTaken() throws IOException {
    assertThat(store.putIfAbsent("a/k", BODY)).isEqualTo(PutOutcome.CREATED);
    script.calls().clear();
    script.fail(new TransientStoreException("busy"));
    assertThat(store.putIfAbsent("a/k", BODY)).isEqualTo(PutOutcome.OCCUPIED);
    assertThat(script.calls()).containsExactly("putIfAbsent", "size");
  }

  @Test
  void noCallIsRepeatedAfterAnotherFailure() {
    for (Call call : calls()) {
      IOException failure = new IOException("denied");
      script.fail(failure);
      script.calls().clear();
      assertThatThrownBy(call::make).isSameAs(failure);
      assertThat(script.calls()).hasSize(1);
    }
    assertThat(time.sleeps()).isEmpty();
  }

  @Test
  void theLastFailureGoesUpWithTheNumberOfAttempts() {
    TransientStoreException last = new TransientStoreException("read of 'k': third");
    script.fail(new TransientStoreException("first"), new TransientStoreException("second"), last);
    assertThatThrownBy(() -> store.read("k"))
        .isInstanceOf(TransientStoreException.class)
        .hasMessage("read of 'k': third (attempts: 3)")
        .hasCause(last);
    assertThat(script.calls()).hasSize(3);
    assertThat(time.sleeps()).hasSize(2);
  }

  @Test
  void anUnknownOutcomeGoesUpAsItIs() throws IOException {
    script.answer(PutOutcome.UNKNOWN);
    assertThat(store.putIfAbsent("k", BODY)).isEqualTo(PutOutcome.UNKNOWN);
    assertThat(script.calls()).containsExactly("putIfAbsent");
  }

  @Test
  void anUnknownOutcomeIsNotRepeatedAfterATransientFailureEither() throws IOException {
    script.fail(new TransientStoreException("no effect"));
    script.answer(PutOutcome.UNKNOWN);
    assertThat(store.putIfAbsent("k", BODY)).isEqualTo(PutOutcome.UNKNOWN);
    assertThat(script.calls()).containsExactly("putIfAbsent", "size", "putIfAbsent");
  }

  @Test
  void theAnswersOfTheStoreComeThrough() throws IOException {
    assertThat(store.putIfAbsent("k", BODY)).isEqualTo(PutOutcome.CREATED);
    assertThat(store.putIfAbsent("k", BODY)).isEqualTo(PutOutcome.OCCUPIED);
    assertThat(store.size("k")).hasValue(3);
    store.close();
    assertThat(script.calls()).endsWith("close");
  }

  @Test
  void aWaitIsDrawnBetweenTheShortestAndThreeTimesTheOneBefore() {
    long shortest = TimeUnit.MILLISECONDS.toNanos(100);
    long longest = TimeUnit.MILLISECONDS.toNanos(1_000);
    waitOut(new RetryingStore.Settings(100, 1_000, 100_000), time);
    long before = shortest;
    for (long sleep : time.sleeps()) {
      assertThat(sleep).isBetween(shortest, Math.min(longest, 3 * before));
      before = sleep;
    }
    assertThat(time.sleeps()).hasSizeGreaterThan(100);
    assertThat(time.sleeps().stream().filter(sleep -> sleep < shortest * 2).count())
        .as("short waits come again after long ones")
        .isGreaterThan(5);
    assertThat(time.sleeps().stream().distinct().count()).isGreaterThan(50);
  }

  @Test
  void twoThatWereRefusedTogetherComeBackApart() {
    FakeTime other = new FakeTime(8);
    waitOut(RetryingStore.Settings.DEFAULT, time);
    waitOut(RetryingStore.Settings.DEFAULT, other);
    assertThat(time.sleeps()).doesNotContainAnyElementsOf(other.sleeps().subList(0, 4));
  }

  @Test
  void anInterruptEndsTheWaiting() {
    script.fail(new TransientStoreException("busy"));
    time.interruptSleeps();
    assertThatThrownBy(() -> store.read("k"))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("busy (interrupted after attempts: 1)");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(script.calls()).hasSize(1);
  }

  @Test
  void theDefaultsOutlastHalfAMinuteEachTime() {
    assertThat(RetryingStore.Settings.DEFAULT)
        .isEqualTo(new RetryingStore.Settings(100, 8_000, 30_000));
    for (int seed = 0; seed < 500; seed++) {
      FakeTime clock = new FakeTime(seed);
      waitOut(RetryingStore.Settings.DEFAULT, clock);
      assertThat(TimeUnit.NANOSECONDS.toMillis(clock.nanoTime())).isBetween(30_000L, 38_000L);
      assertThat(clock.sleeps()).hasSizeBetween(7, 100);
    }
  }

  @Test
  void theUnluckiestIsAsPatientAndTheNumberOfItsAttemptsIsBounded() {
    FakeTime unlucky = FakeTime.drawing(0);
    waitOut(RetryingStore.Settings.DEFAULT, unlucky);
    assertThat(TimeUnit.NANOSECONDS.toMillis(unlucky.nanoTime())).isEqualTo(30_000);
    assertThat(RetryingStore.Settings.DEFAULT.attemptsMax()).isEqualTo(301);
    assertThat(unlucky.sleeps()).hasSize(300);
    assertThat(new RetryingStore.Settings(100, 100, 201).attemptsMax()).isEqualTo(4);
  }

  @Test
  void theLuckiestWaitsNoLongerThanTheLongestWaitBeyondHisPatience() {
    FakeTime lucky = FakeTime.drawing(Math.nextDown(1.0));
    waitOut(RetryingStore.Settings.DEFAULT, lucky);
    assertThat(lucky.sleeps().stream().map(TimeUnit.NANOSECONDS::toMillis))
        .containsExactly(299L, 899L, 2_699L, 8_000L, 8_000L, 8_000L, 8_000L);
  }

  @Test
  void withoutPatienceNothingIsRepeated() {
    ObjectStore impatient =
        new RetryingStore(script, new RetryingStore.Settings(1, 1, 0), time.environment());
    script.fail(new TransientStoreException("busy"));
    assertThatThrownBy(() -> impatient.read("k")).hasMessage("busy (attempts: 1)");
    assertThat(time.sleeps()).isEmpty();
  }

  @Test
  void settingsThatContradictThemselvesAreRefused() {
    assertThatThrownBy(() -> new RetryingStore.Settings(3, 2, 9)).hasMessageContaining("delays");
    assertThatThrownBy(() -> new RetryingStore.Settings(0, 2, 9)).hasMessageContaining("delays");
    assertThatThrownBy(() -> new RetryingStore.Settings(1, 2, -1))
        .hasMessageContaining("patienceMillis");
  }

  /** Lets a call be refused until it is given up. */
  private static void waitOut(RetryingStore.Settings settings, FakeTime clock) {
    ScriptedStore busy = new ScriptedStore();
    busy.fail(
        Collections.nCopies((int) settings.attemptsMax(), new ThrottledException("busy"))
            .toArray(IOException[]::new));
    ObjectStore patient = new RetryingStore(busy, settings, clock.environment());
    assertThatThrownBy(() -> patient.read("k"))
        .isInstanceOf(TransientStoreException.class)
        .hasMessage("busy (attempts: %d)", clock.sleeps().size() + 1);
  }

  private List<Call> calls() {
    return List.of(
        () -> store.putIfAbsent("a/k", BODY),
        () -> store.put("a/k", BODY),
        () -> store.read("a/k"),
        () -> store.read("a/k", 0, 1),
        () -> store.readSuffix("a/k", 1),
        () -> store.size("a/k"),
        () -> store.list("a/", Optional.empty()),
        () -> store.delete(List.of("a/k")));
  }

  @FunctionalInterface
  private interface Call {
    void make() throws IOException;
  }
}
