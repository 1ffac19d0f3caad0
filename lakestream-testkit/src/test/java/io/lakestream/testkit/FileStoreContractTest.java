// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import io.lakestream.store.ObjectStore;
import io.lakestream.store.Stores;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class FileStoreContractTest {

  @Nested
  class Durable extends ObjectStoreContract {
    @TempDir Path folder;

    @Override
    public ObjectStore open() {
      return Stores.open(folder.toUri() + "store?durability=full");
    }
  }

  @Nested
  class NotDurable extends ObjectStoreContract {
    @TempDir Path folder;

    @Override
    public ObjectStore open() {
      return Stores.open(folder.toUri() + "store?durability=none");
    }
  }
}
