// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.testkit.ForwardingStore;
import java.io.IOException;

/** A store that ignores the condition of a put, as some do. No stream may be kept in it. */
public final class CarelessStore extends ForwardingStore {
  /** Puts into {@code store} without a condition. */
  public CarelessStore(ObjectStore store) {
    super(store);
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    put(key, body);
    return PutOutcome.CREATED;
  }
}
