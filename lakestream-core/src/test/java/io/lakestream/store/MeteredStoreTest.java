// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import static io.lakestream.store.StoreMetrics.Operation.DELETE;
import static io.lakestream.store.StoreMetrics.Operation.LIST;
import static io.lakestream.store.StoreMetrics.Operation.PUT;
import static io.lakestream.store.StoreMetrics.Operation.PUT_IF_ABSENT;
import static io.lakestream.store.StoreMetrics.Operation.READ;
import static io.lakestream.store.StoreMetrics.Operation.READ_RANGE;
import static io.lakestream.store.StoreMetrics.Operation.READ_SUFFIX;
import static io.lakestream.store.StoreMetrics.Operation.SIZE;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.runtime.Clock;
import io.lakestream.runtime.Environment;
import io.lakestream.runtime.Tasks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MeteredStoreTest {
  private final ScriptedStore script = new ScriptedStore();
  private final MeteredStore store = new MeteredStore(script, new TickingClock());

  @Test
  void everyOperationIsCountedUnderItsOwnNameAndTheFirstPartOfItsKey() throws IOException {
    PutOutcome ignored = store.putIfAbsent("a/k", body(5));
    store.put("b/k", body(7));
    assertThat(store.read("a/k")).isPresent();
    assertThat(store.read("a/k", 1, 2)).isPresent();
    assertThat(store.readSuffix("b/x/y", 3)).isEmpty();
    assertThat(store.size("c")).isEmpty();
    assertThat(store.list("", Optional.empty()).entries()).hasSize(2);
    assertThat(store.delete(List.of("b/k", "a/k"))).isEmpty();

    StoreMetrics metrics = store.metrics();
    assertThat(metrics.counts())
        .containsEntry(call(PUT_IF_ABSENT, "a"), counts(0, 0, 5))
        .containsEntry(call(PUT, "b"), counts(0, 0, 7))
        .containsEntry(call(READ, "a"), counts(0, 5, 0))
        .containsEntry(call(READ_RANGE, "a"), counts(0, 2, 0))
        .containsEntry(call(READ_SUFFIX, "b"), counts(1, 0, 0))
        .containsEntry(call(SIZE, "c"), counts(1, 0, 0))
        .containsEntry(call(LIST, ""), counts(0, 0, 0))
        .containsEntry(call(DELETE, "b"), counts(0, 0, 0))
        .hasSize(8);
    assertThat(metrics.total()).isEqualTo(new StoreMetrics.Counts(8, 2, 0, 7, 12, 80));
    assertThat(metrics.byArea()).containsOnlyKeys("", "a", "b", "c");
    assertThat(metrics.byArea().get("a")).isEqualTo(new StoreMetrics.Counts(3, 0, 0, 7, 5, 30));
    assertThat(metrics.byOperation()).hasSize(8).containsEntry(PUT, counts(0, 0, 7));
  }

  @Test
  void aPutThatCreatedNothingIsAMiss() throws IOException {
    script.answer(PutOutcome.OCCUPIED, PutOutcome.UNKNOWN, PutOutcome.CREATED);
    for (int i = 0; i < 3; i++) {
      PutOutcome ignored = store.putIfAbsent("a/k", body(1));
    }
    assertThat(store.metrics().total().misses()).isEqualTo(2);
  }

  @Test
  void aFailureIsCountedAndGoesUp() {
    IOException failure = new IOException("denied");
    script.fail(failure);
    assertThatThrownBy(() -> store.read("a/k")).isSameAs(failure);
    assertThat(store.metrics().total()).isEqualTo(new StoreMetrics.Counts(1, 0, 1, 0, 0, 10));
  }

  @Test
  void aDifferenceHoldsOnlyWhatWasCountedBetween() throws IOException {
    store.put("a/k", body(5));
    StoreMetrics before = store.metrics();
    assertThat(store.metrics().minus(before).counts()).isEmpty();
    store.put("a/k", body(6));
    assertThat(store.read("b/k")).isEmpty();
    StoreMetrics between = store.metrics().minus(before);
    assertThat(between.counts()).containsOnlyKeys(call(PUT, "a"), call(READ, "b"));
    assertThat(between.total()).isEqualTo(new StoreMetrics.Counts(2, 1, 0, 0, 6, 20));
    assertThat(before.total().requests()).isEqualTo(1);
  }

  @Test
  void theNumberOfAreasIsBounded() throws IOException {
    for (int i = 0; i < 3 * MeteredStore.AREAS_MAX; i++) {
      store.put("area-" + i + "/k", body(1));
    }
    StoreMetrics metrics = store.metrics();
    assertThat(metrics.byArea()).hasSize(MeteredStore.AREAS_MAX + 1);
    assertThat(requireNonNull(metrics.byArea().get(MeteredStore.OTHER_AREAS)).requests())
        .isEqualTo(2 * MeteredStore.AREAS_MAX);
    assertThat(metrics.total().requests()).isEqualTo(3 * MeteredStore.AREAS_MAX);
  }

  @Test
  void nothingIsLostWhenManyThreadsCount() throws InterruptedException {
    MeteredStore shared = new MeteredStore(new MemoryStore(), new TickingClock());
    List<Tasks.Task> tasks = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      tasks.add(Environment.system().tasks().start("count-" + i, () -> putMany(shared)));
    }
    for (Tasks.Task task : tasks) {
      task.join();
    }
    assertThat(shared.metrics().total().requests()).isEqualTo(8_000);
    assertThat(shared.metrics().total().bytesWritten()).isEqualTo(24_000);
  }

  private static void putMany(ObjectStore store) {
    try {
      for (int i = 0; i < 1_000; i++) {
        store.put("area-" + i % 5 + "/k", body(3));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static StoreMetrics.Call call(StoreMetrics.Operation operation, String area) {
    return new StoreMetrics.Call(operation, area);
  }

  /** The sums of one call. */
  private static StoreMetrics.Counts counts(long misses, long bytesRead, long bytesWritten) {
    return new StoreMetrics.Counts(1, misses, 0, bytesRead, bytesWritten, 10);
  }

  private static Body body(int length) {
    return Body.of(new byte[length]);
  }

  /** Ten nanoseconds pass between two looks at it. */
  private static final class TickingClock implements Clock {
    private long nanos;

    @Override
    public long nanoTime() {
      nanos += 10;
      return nanos;
    }

    @Override
    public long epochMillis() {
      return 0;
    }

    @Override
    public void sleep(long durationNanos) {
      throw new AssertionError("a metered store does not wait");
    }
  }
}
