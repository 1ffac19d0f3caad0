// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.store.MemoryStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.StoreProvider;
import io.lakestream.testkit.fault.CarelessStore;
import java.net.URI;

/** Opens {@code careless:///x}: a store that ignores the condition of a put, as some do. */
public final class CarelessStoreProvider implements StoreProvider {
  @Override
  public String scheme() {
    return "careless";
  }

  @Override
  public ObjectStore open(URI uri) {
    return new CarelessStore(new MemoryStore());
  }
}
