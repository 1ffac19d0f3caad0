// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import io.lakestream.runtime.Environment;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.RetryingStore;
import java.util.UUID;

class RetryingStoreContractTest extends ObjectStoreContract {
  private final String name = UUID.randomUUID().toString();

  @Override
  public ObjectStore open() {
    return new RetryingStore(
        MemoryStore.named(name), RetryingStore.Settings.DEFAULT, Environment.system());
  }
}
