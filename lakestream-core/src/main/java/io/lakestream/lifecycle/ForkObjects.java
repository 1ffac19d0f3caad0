// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.model.CommitUnknown;
import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * The objects that a fork is made of. Their names have the hash of their bytes, which name the
 * fork, so that nobody else can have put them. Safe for use by several threads.
 */
final class ForkObjects {
  /** Puts of one object of which nobody knows whether they took effect; more is an outage. */
  private static final int TRIES_MAX = 3;

  private final ObjectStore store;
  private final ConcurrentSkipListSet<String> keys = new ConcurrentSkipListSet<>();

  ForkObjects(ObjectStore store) {
    this.store = store;
  }

  /**
   * Puts an object.
   *
   * @throws CommitUnknown if the store does not say whether it is there
   */
  void put(String key, List<ByteBuffer> bytes) throws IOException {
    keys.add(key);
    for (int i = 0; i < TRIES_MAX; i++) {
      if (SettledObjects.put(store, key, Body.of(bytes))) {
        return;
      }
    }
    throw unknown(key);
  }

  /** What to say when it is not known whether an object was put. */
  static CommitUnknown unknown(String key) {
    return new CommitUnknown(
        ("it is not known whether %s was put; remove the pin of the fork and what is at its place,"
                + " and fork again")
            .formatted(key));
  }

  /** Another object is the fork's own too. */
  void add(String key) {
    keys.add(key);
  }

  /** Deletes all of them, the last in the order of their names first. */
  void clear() throws IOException {
    Removal.from(store).remove(List.copyOf(keys.descendingSet()));
  }
}
