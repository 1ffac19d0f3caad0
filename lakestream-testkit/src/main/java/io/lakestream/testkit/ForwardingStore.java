// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import io.lakestream.store.Body;
import io.lakestream.store.DeleteFailure;
import io.lakestream.store.ListPage;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.store.StoreMetrics.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Another store, call by call. A test double overrides only what it does differently: a method, or
 * {@link #forward} for all of them.
 */
public abstract class ForwardingStore implements ObjectStore {
  private final ObjectStore target;

  /** Forwards to {@code target}, which is closed together with this. */
  protected ForwardingStore(ObjectStore target) {
    this.target = target;
  }

  /** A call of the store behind. */
  @FunctionalInterface
  protected interface Call<T> {
    /** Makes it. */
    T make() throws IOException;
  }

  /** The store behind, for calls that do not go through {@link #forward}. */
  protected final ObjectStore target() {
    return target;
  }

  /**
   * Makes a call and returns its answer. All calls but {@link #close} come through here.
   *
   * @param key the key or prefix; of a delete all keys, with blanks between them
   */
  protected <T> T forward(Operation operation, String key, Call<T> call) throws IOException {
    return call.make();
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    return forward(Operation.PUT_IF_ABSENT, key, () -> target.putIfAbsent(key, body));
  }

  @Override
  public void put(String key, Body body) throws IOException {
    String unused =
        forward(
            Operation.PUT,
            key,
            () -> {
              target.put(key, body);
              return "done";
            });
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    return forward(Operation.READ, key, () -> target.read(key));
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    return forward(Operation.READ_RANGE, key, () -> target.read(key, offset, length));
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    return forward(Operation.READ_SUFFIX, key, () -> target.readSuffix(key, length));
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    return forward(Operation.SIZE, key, () -> target.size(key));
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    return forward(Operation.LIST, prefix, () -> target.list(prefix, continuation));
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    return forward(Operation.DELETE, String.join(" ", keys), () -> target.delete(keys));
  }

  @Override
  public void close() throws IOException {
    target.close();
  }
}
