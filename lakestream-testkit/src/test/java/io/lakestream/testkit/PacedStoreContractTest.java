// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import io.lakestream.runtime.Environment;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PacedStore;
import java.util.UUID;

class PacedStoreContractTest extends ObjectStoreContract {
  private final String name = UUID.randomUUID().toString();

  @Override
  public ObjectStore open() {
    return new PacedStore(
        MemoryStore.named(name), PacedStore.Settings.DEFAULT, Environment.system().tasks());
  }
}
