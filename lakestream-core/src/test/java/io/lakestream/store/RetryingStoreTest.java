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
  private static final RetryingStore.Settings SETTINGS = new RetryingStore.Settings(3, 100, 1_000);

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
  void waitsAreJitteredInTheUpperHalfOfWhatDoubles() {
    RetryingStore.Settings many = new RetryingStore.Settings(200, 100, 1_000);
    ObjectStore patient = new RetryingStore(script, many, time.environment());
    script.fail(
        Collections.nCopies(200, new TransientStoreException("busy")).toArray(IOException[]::new));
    assertThatThrownBy(() -> patient.read("k")).hasMessageContaining("attempts: 200");
    long longest = TimeUnit.MILLISECONDS.toNanos(100);
    for (long sleep : time.sleeps()) {
      assertThat(sleep).isBetween(longest / 2, longest);
      longest = Math.min(2 * longest, TimeUnit.MILLISECONDS.toNanos(1_000));
    }
    assertThat(time.sleeps()).hasSize(199);
    assertThat(time.sleeps().stream().distinct().count()).isGreaterThan(50);
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
        .isEqualTo(new RetryingStore.Settings(14, 100, 8_000));
    for (int seed = 0; seed < 500; seed++) {
      FakeTime clock = new FakeTime(seed);
      ScriptedStore busy = new ScriptedStore();
      busy.fail(
          Collections.nCopies(14, new TransientStoreException("busy")).toArray(IOException[]::new));
      ObjectStore patient =
          new RetryingStore(busy, RetryingStore.Settings.DEFAULT, clock.environment());
      assertThatThrownBy(() -> patient.read("k")).hasMessageContaining("attempts: 14");
      assertThat(TimeUnit.NANOSECONDS.toSeconds(clock.nanoTime())).isBetween(30L, 60L);
    }
  }

  @Test
  void settingsThatContradictThemselvesAreRefused() {
    assertThatThrownBy(() -> new RetryingStore.Settings(0, 1, 2))
        .hasMessageContaining("attemptsMax");
    assertThatThrownBy(() -> new RetryingStore.Settings(1, 3, 2)).hasMessageContaining("delays");
    assertThatThrownBy(() -> new RetryingStore.Settings(1, -1, 2)).hasMessageContaining("delays");
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
