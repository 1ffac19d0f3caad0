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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Writes down the calls of another store in the order in which they begin, each as {@code operation
 * key}: so a test can say exactly what an operation costs. A delete is written down with all of its
 * keys. Thread-safe.
 */
public final class RecordingStore implements ObjectStore {
  private final ObjectStore store;
  private final List<String> calls = new ArrayList<>();

  /** Writes down the calls of {@code store}, which is closed together with this. */
  public RecordingStore(ObjectStore store) {
    this.store = store;
  }

  /** The calls since the last time this was asked, oldest first. */
  public List<String> takeCalls() {
    synchronized (calls) {
      List<String> taken = List.copyOf(calls);
      calls.clear();
      return taken;
    }
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    record(Operation.PUT_IF_ABSENT, key);
    return store.putIfAbsent(key, body);
  }

  @Override
  public void put(String key, Body body) throws IOException {
    record(Operation.PUT, key);
    store.put(key, body);
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    record(Operation.READ, key);
    return store.read(key);
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    record(Operation.READ_RANGE, key);
    return store.read(key, offset, length);
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    record(Operation.READ_SUFFIX, key);
    return store.readSuffix(key, length);
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    record(Operation.SIZE, key);
    return store.size(key);
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    record(Operation.LIST, prefix);
    return store.list(prefix, continuation);
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    record(Operation.DELETE, String.join(" ", keys));
    return store.delete(keys);
  }

  @Override
  public void close() throws IOException {
    store.close();
  }

  private void record(Operation operation, String key) {
    synchronized (calls) {
      calls.add(operation.label() + " " + key);
    }
  }
}
