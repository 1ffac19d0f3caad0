// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import io.lakestream.store.Body;
import io.lakestream.store.DeleteFailure;
import io.lakestream.store.ListPage;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A memory store that tells its calls, and in which something may happen before a read. */
final class WatchedStore implements ObjectStore {
  private final MemoryStore store = new MemoryStore();
  private final List<String> calls = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();

  /** What somebody else does. */
  @FunctionalInterface
  interface Action {
    void run() throws IOException;
  }

  private record Event(String prefix, Action action) {}

  /** Does something, once, just before the next read of a key that starts with {@code prefix}. */
  void before(String prefix, Action action) {
    events.add(new Event(prefix, action));
  }

  /** The keys read since the last time. */
  List<String> takeReads() {
    List<String> taken = List.copyOf(calls);
    calls.clear();
    return taken;
  }

  private void reading(String key) throws IOException {
    for (Event event : List.copyOf(events)) {
      if (key.startsWith(event.prefix()) && events.remove(event)) {
        int before = calls.size();
        event.action().run();
        calls.subList(before, calls.size()).clear();
      }
    }
    calls.add(key);
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    return store.putIfAbsent(key, body);
  }

  @Override
  public void put(String key, Body body) throws IOException {
    store.put(key, body);
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    reading(key);
    return store.read(key);
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    reading(key);
    return store.read(key, offset, length);
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    reading(key);
    return store.readSuffix(key, length);
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    reading(key);
    return store.size(key);
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) {
    throw new AssertionError("readers never list");
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    return store.delete(keys);
  }

  @Override
  public void close() {
    store.close();
  }
}
