// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import io.lakestream.store.ObjectStore;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Every guarantee of {@link ObjectStore}, as tests. Extend it, say how to open the store, and do
 * not override a test: a store that cannot pass one of them cannot carry a stream.
 *
 * <p>The parts are {@link PutContract}, {@link ReadContract}, {@link KeyContract}, {@link
 * ListContract}, {@link DeleteContract}, {@link RaceContract} and {@link CloseContract}. Races
 * between processes are a harness of their own, {@link PutIfAbsentRace}.
 */
public abstract class ObjectStoreContract
    implements PutContract,
        ReadContract,
        KeyContract,
        ListContract,
        DeleteContract,
        RaceContract,
        CloseContract {
  private @Nullable ObjectStore store;

  /** For subclasses. */
  protected ObjectStoreContract() {}

  /**
   * Opens the store under test. All calls on one instance of this class open the same place, as
   * processes on several machines would, and before the first call that place is empty.
   */
  @Override
  public abstract ObjectStore open() throws IOException;

  @Override
  public final ObjectStore store() {
    ObjectStore opened = store;
    if (opened == null) {
      throw new IllegalStateException("the store is open only during a test");
    }
    return opened;
  }

  @BeforeEach
  final void openStore() throws IOException {
    store = open();
  }

  @AfterEach
  final void closeStore() throws IOException {
    store().close();
  }
}
