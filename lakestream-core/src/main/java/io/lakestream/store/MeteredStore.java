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

import io.lakestream.runtime.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the calls of another store, for each operation and each first part of a key. */
public final class MeteredStore implements ObjectStore {
  /** First parts told apart, several times what the layout has; the others are counted as one. */
  static final int AREAS_MAX = 64;

  static final String OTHER_AREAS = "*";

  private final ObjectStore store;
  private final Clock clock;
  private final ConcurrentSkipListMap<StoreMetrics.Call, Adders> adders =
      new ConcurrentSkipListMap<>();

  /** Counts the calls of {@code store}, which is closed together with this. */
  public MeteredStore(ObjectStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /** What has been counted up to now; calls that have not ended are not in it. */
  public StoreMetrics metrics() {
    TreeMap<StoreMetrics.Call, StoreMetrics.Counts> counts = new TreeMap<>();
    adders.forEach((call, sums) -> counts.put(call, sums.counts()));
    return new StoreMetrics(counts);
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    return counting(
        PUT_IF_ABSENT,
        key,
        () -> store.putIfAbsent(key, body),
        (outcome, sums) -> {
          sums.bytesWritten.add(body.length());
          sums.addMissIf(outcome != PutOutcome.CREATED);
        });
  }

  @Override
  public void put(String key, Body body) throws IOException {
    boolean ignored =
        counting(
            PUT,
            key,
            () -> {
              store.put(key, body);
              return true;
            },
            (done, sums) -> sums.bytesWritten.add(body.length()));
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    return counting(READ, key, () -> store.read(key), MeteredStore::countRead);
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    return counting(
        READ_RANGE, key, () -> store.read(key, offset, length), MeteredStore::countRead);
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    return counting(READ_SUFFIX, key, () -> store.readSuffix(key, length), MeteredStore::countRead);
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    return counting(
        SIZE, key, () -> store.size(key), (size, sums) -> sums.addMissIf(size.isEmpty()));
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    return counting(LIST, prefix, () -> store.list(prefix, continuation), (page, sums) -> {});
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    String first = keys.isEmpty() ? "" : keys.get(0);
    return counting(DELETE, first, () -> store.delete(keys), (failures, sums) -> {});
  }

  @Override
  public void close() throws IOException {
    store.close();
  }

  private static void countRead(Optional<ByteBuffer> bytes, Adders sums) {
    sums.addMissIf(bytes.isEmpty());
    bytes.ifPresent(buffer -> sums.bytesRead.add(buffer.remaining()));
  }

  private <T> T counting(StoreMetrics.Operation operation, String key, Call<T> call, Count<T> count)
      throws IOException {
    Adders sums = adders(operation, Keys.firstPart(key));
    boolean isDone = false;
    long start = clock.nanoTime();
    try {
      T result = call.make();
      isDone = true;
      count.count(result, sums);
      return result;
    } finally {
      sums.nanos.add(clock.nanoTime() - start);
      sums.requests.increment();
      if (!isDone) {
        sums.failures.increment();
      }
    }
  }

  private Adders adders(StoreMetrics.Operation operation, String area) {
    StoreMetrics.Call call = new StoreMetrics.Call(operation, area);
    Adders known = adders.get(call);
    if (known != null) {
      return known;
    }
    List<String> areas = adders.keySet().stream().map(StoreMetrics.Call::area).distinct().toList();
    boolean isApart = areas.size() < AREAS_MAX || areas.contains(area);
    return adders.computeIfAbsent(
        isApart ? call : new StoreMetrics.Call(operation, OTHER_AREAS), key -> new Adders());
  }

  /** The running sums of one kind of call. */
  private static final class Adders {
    private final LongAdder requests = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    private void addMissIf(boolean isMiss) {
      if (isMiss) {
        misses.increment();
      }
    }

    private StoreMetrics.Counts counts() {
      return new StoreMetrics.Counts(
          requests.sum(),
          misses.sum(),
          failures.sum(),
          bytesRead.sum(),
          bytesWritten.sum(),
          nanos.sum());
    }
  }

  @FunctionalInterface
  private interface Call<T> {
    T make() throws IOException;
  }

  @FunctionalInterface
  private interface Count<T> {
    void count(T result, Adders sums);
  }
}
