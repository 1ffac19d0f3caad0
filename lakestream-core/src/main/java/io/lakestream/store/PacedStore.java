// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import io.lakestream.runtime.Monitor;
import io.lakestream.runtime.Tasks;
import io.lakestream.store.StoreMetrics.Operation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Bounds how many calls of another store are under way at once, by what it takes: half as many
 * after a {@link ThrottledException}, slowly more while calls are answered. Calls beyond that wait
 * for their turn. Reads (with listings) and writes (with deletes) are bounded apart, since stores
 * have a limit for each, and a trainer must not wait because a producer is refused.
 *
 * <p>Repeating what was refused is the job of {@link RetryingStore}, which goes around this one, so
 * that a call that waits for its next try takes no turn from others. {@link HedgedStore} goes
 * inside: a hedge is not another call of the caller, and an attempt that nobody waits for any more
 * should hold up nobody.
 */
public final class PacedStore implements ObjectStore {
  /**
   * How many calls there may be at best.
   *
   * @param readsMax reads under way at once
   * @param writesMax writes under way at once
   */
  public record Settings(int readsMax, int writesMax) {

    /** Leaves hedges a quarter of the 128 connections of a client. */
    public static final Settings DEFAULT = new Settings(64, 32);

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if one of them is below 1
     */
    public Settings {
      if (readsMax < 1 || writesMax < 1) {
        throw new IllegalArgumentException(
            "readsMax and writesMax must be at least 1, not " + readsMax + " and " + writesMax);
      }
    }
  }

  private final ObjectStore store;
  private final Turns reads;
  private final Turns writes;

  /** Bounds the calls of {@code store}, which is closed together with this. */
  public PacedStore(ObjectStore store, Settings settings, Tasks tasks) {
    this.store = store;
    this.reads = new Turns(settings.readsMax(), tasks.monitor());
    this.writes = new Turns(settings.writesMax(), tasks.monitor());
  }

  /** How many reads may be under way now. */
  public int readsAllowed() {
    return reads.allowed();
  }

  /** How many writes may be under way now. */
  public int writesAllowed() {
    return writes.allowed();
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    return writes.make(Operation.PUT_IF_ABSENT, key, () -> store.putIfAbsent(key, body));
  }

  @Override
  public void put(String key, Body body) throws IOException {
    boolean ignored =
        writes.make(
            Operation.PUT,
            key,
            () -> {
              store.put(key, body);
              return true;
            });
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    return reads.make(Operation.READ, key, () -> store.read(key));
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    return reads.make(Operation.READ_RANGE, key, () -> store.read(key, offset, length));
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    return reads.make(Operation.READ_SUFFIX, key, () -> store.readSuffix(key, length));
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    return reads.make(Operation.SIZE, key, () -> store.size(key));
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    return reads.make(Operation.LIST, prefix, () -> store.list(prefix, continuation));
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    String first = keys.isEmpty() ? "" : keys.get(0);
    return writes.make(Operation.DELETE, first, () -> store.delete(keys));
  }

  @Override
  public void close() throws IOException {
    store.close();
  }

  /** Lets calls of one kind through, as many at once as the limit allows. */
  private static final class Turns {
    private final CallLimit limit;
    private final Monitor monitor;

    Turns(int most, Monitor monitor) {
      this.limit = new CallLimit(most);
      this.monitor = monitor;
    }

    int allowed() {
      return monitor.locked(limit::allowed);
    }

    <T> T make(Operation operation, String key, Call<T> call) throws IOException {
      long begun = begin(operation, key);
      Runnable end = limit::ended;
      try {
        T answer = call.make();
        end = limit::answered;
        return answer;
      } catch (ThrottledException e) {
        end = () -> limit.throttled(begun);
        throw e;
      } finally {
        monitor.change(end);
      }
    }

    private long begin(Operation operation, String key) throws InterruptedIOException {
      try {
        return monitor.when(limit::isFree, limit::begin);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException(
            operation.label() + " of '" + key + "' was interrupted while it waited for its turn");
      }
    }
  }

  @FunctionalInterface
  private interface Call<T> {
    T make() throws IOException;
  }
}
