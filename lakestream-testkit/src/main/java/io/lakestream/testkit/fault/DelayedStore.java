// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import io.lakestream.runtime.Environment;
import io.lakestream.store.Body;
import io.lakestream.store.DeleteFailure;
import io.lakestream.store.ListPage;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A store that is some way off: every request and every answer takes a random time. What happens
 * meanwhile, such as the death of the caller, finds a call that has taken effect or has not.
 */
public final class DelayedStore implements ObjectStore {
  private final ObjectStore store;
  private final Environment environment;
  private final long meanNanos;

  /**
   * @param environment whose clock is waited on, and whose chance is drawn from
   * @param meanNanos mean time of a call, half of it on each way; single times are exponential
   */
  public DelayedStore(ObjectStore store, Environment environment, long meanNanos) {
    this.store = store;
    this.environment = environment;
    this.meanNanos = meanNanos;
  }

  /** A call of the store. */
  @FunctionalInterface
  private interface Call<T> {
    T make() throws IOException;
  }

  private <T> T delayed(String operation, String key, Call<T> call) throws IOException {
    travel(operation, key);
    T answer = call.make();
    travel(operation, key);
    return answer;
  }

  private void travel(String operation, String key) throws IOException {
    double nanos = -Math.log1p(-environment.entropy().nextDouble()) * meanNanos / 2;
    try {
      environment.clock().sleep(1 + (long) nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(operation + " of '" + key + "' was interrupted");
    }
  }

  /** A put that was sent may land, whatever becomes of its sender. */
  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    travel("putIfAbsent", key);
    PutOutcome outcome = store.putIfAbsent(key, body);
    try {
      travel("putIfAbsent", key);
    } catch (InterruptedIOException e) {
      return PutOutcome.UNKNOWN;
    }
    return outcome;
  }

  @Override
  public void put(String key, Body body) throws IOException {
    boolean ignored =
        delayed(
            "put",
            key,
            () -> {
              store.put(key, body);
              return true;
            });
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    return delayed("read", key, () -> store.read(key));
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    return delayed("read", key, () -> store.read(key, offset, length));
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    return delayed("readSuffix", key, () -> store.readSuffix(key, length));
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    return delayed("size", key, () -> store.size(key));
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    return delayed("list", prefix, () -> store.list(prefix, continuation));
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    return delayed("delete", String.join(", ", keys), () -> store.delete(keys));
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
