// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import io.lakestream.store.MemoryStore;
import io.lakestream.store.ObjectStore;
import java.util.UUID;

class RecordingStoreContractTest extends ObjectStoreContract {
  private final String name = UUID.randomUUID().toString();

  @Override
  public ObjectStore open() {
    return new RecordingStore(MemoryStore.named(name));
  }
}
