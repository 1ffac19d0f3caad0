// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import io.lakestream.runtime.Environment;
import io.lakestream.store.HedgedStore;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.ObjectStore;
import java.util.UUID;

class HedgedStoreContractTest extends ObjectStoreContract {
  private final String name = UUID.randomUUID().toString();

  @Override
  public ObjectStore open() {
    return new HedgedStore(
        MemoryStore.named(name), HedgedStore.Settings.DEFAULT, Environment.system());
  }
}
