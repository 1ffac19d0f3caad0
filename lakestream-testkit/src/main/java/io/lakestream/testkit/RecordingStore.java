// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import io.lakestream.store.ObjectStore;
import io.lakestream.store.StoreMetrics.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes down the calls of another store in the order in which they begin, each as {@code operation
 * key}: so a test can say exactly what an operation costs. A delete is written down with all of its
 * keys. Thread-safe.
 */
public final class RecordingStore extends ForwardingStore {
  private final List<String> calls = new ArrayList<>();

  /** Writes down the calls of {@code store}, which is closed together with this. */
  public RecordingStore(ObjectStore store) {
    super(store);
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
  protected <T> T forward(Operation operation, String key, Call<T> call) throws IOException {
    synchronized (calls) {
      calls.add(operation.label() + " " + key);
    }
    return super.forward(operation, key, call);
  }
}
