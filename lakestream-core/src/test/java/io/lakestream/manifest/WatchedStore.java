// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import io.lakestream.store.ForwardingStore;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.StoreMetrics.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A memory store that tells its calls, and in which something may happen before a read. */
final class WatchedStore extends ForwardingStore {
  private final List<String> calls = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();

  WatchedStore() {
    super(new MemoryStore());
  }

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
  protected void begin(Operation operation, String key) throws IOException {
    switch (operation) {
      case READ, READ_RANGE, READ_SUFFIX, SIZE -> reading(key);
      case LIST -> throw new AssertionError("readers never list");
      case PUT_IF_ABSENT, PUT, DELETE -> {}
    }
  }
}
