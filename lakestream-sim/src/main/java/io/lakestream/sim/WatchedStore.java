// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.store.Body;
import io.lakestream.store.DeleteFailure;
import io.lakestream.store.ListPage;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The store itself, with a watcher who is told of each change at the moment it takes effect. */
final class WatchedStore implements ObjectStore {
  private final ObjectStore store;
  private final Watcher watcher;

  /** Told of changes. */
  interface Watcher {
    void put(String key, Body body);

    void deleted(String key);
  }

  WatchedStore(ObjectStore store, Watcher watcher) {
    this.store = store;
    this.watcher = watcher;
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    PutOutcome outcome = store.putIfAbsent(key, body);
    if (outcome == PutOutcome.CREATED) {
      watcher.put(key, body);
    }
    return outcome;
  }

  @Override
  public void put(String key, Body body) throws IOException {
    store.put(key, body);
    watcher.put(key, body);
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    return store.read(key);
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    return store.read(key, offset, length);
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    return store.readSuffix(key, length);
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    return store.size(key);
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    return store.list(prefix, continuation);
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    Set<String> there = new HashSet<>();
    for (String key : keys) {
      if (store.size(key).isPresent()) {
        there.add(key);
      }
    }
    List<DeleteFailure> failures = store.delete(keys);
    failures.forEach(failure -> there.remove(failure.key()));
    keys.stream().filter(there::contains).forEach(watcher::deleted);
    return failures;
  }

  @Override
  public void close() {
    // One store for all processes of a simulation.
  }
}
