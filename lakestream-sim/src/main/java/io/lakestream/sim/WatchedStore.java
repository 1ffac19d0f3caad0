// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.store.Body;
import io.lakestream.store.DeleteFailure;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The store itself, with a watcher who is told of each change at the moment it takes effect. */
final class WatchedStore extends LastingStore {
  private final Watcher watcher;

  /** Told of changes. */
  interface Watcher {
    void put(String key, Body body);

    void deleted(String key);
  }

  WatchedStore(ObjectStore store, Watcher watcher) {
    super(store);
    this.watcher = watcher;
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    PutOutcome outcome = target().putIfAbsent(key, body);
    if (outcome == PutOutcome.CREATED) {
      watcher.put(key, body);
    }
    return outcome;
  }

  @Override
  public void put(String key, Body body) throws IOException {
    target().put(key, body);
    watcher.put(key, body);
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    Set<String> there = new HashSet<>();
    for (String key : keys) {
      if (target().size(key).isPresent()) {
        there.add(key);
      }
    }
    List<DeleteFailure> failures = target().delete(keys);
    failures.forEach(failure -> there.remove(failure.key()));
    keys.stream().filter(there::contains).forEach(watcher::deleted);
    return failures;
  }
}
