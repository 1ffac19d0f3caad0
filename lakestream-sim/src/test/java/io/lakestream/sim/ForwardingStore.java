// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

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

/** Another store, call by call: a test double overrides only what it does differently. */
abstract class ForwardingStore implements ObjectStore {
  private final ObjectStore target;

  protected ForwardingStore(ObjectStore target) {
    this.target = target;
  }

  /** The store behind, for calls that are not to be announced. */
  protected final ObjectStore target() {
    return target;
  }

  /**
   * Called before each call is passed on, which it prevents by throwing.
   *
   * @param key the key or prefix; of a delete all keys, with blanks between them
   */
  protected void begin(Operation operation, String key) throws IOException {}

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    begin(Operation.PUT_IF_ABSENT, key);
    return target.putIfAbsent(key, body);
  }

  @Override
  public void put(String key, Body body) throws IOException {
    begin(Operation.PUT, key);
    target.put(key, body);
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    begin(Operation.READ, key);
    return target.read(key);
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    begin(Operation.READ_RANGE, key);
    return target.read(key, offset, length);
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    begin(Operation.READ_SUFFIX, key);
    return target.readSuffix(key, length);
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    begin(Operation.SIZE, key);
    return target.size(key);
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    begin(Operation.LIST, prefix);
    return target.list(prefix, continuation);
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    begin(Operation.DELETE, String.join(" ", keys));
    return target.delete(keys);
  }

  @Override
  public void close() throws IOException {
    target.close();
  }
}
