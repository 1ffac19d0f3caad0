// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import io.lakestream.store.ObjectStore;
import io.lakestream.store.Stores;
import io.lakestream.testkit.ObjectStoreContract;
import org.junit.jupiter.api.Tag;

/** Ceph's gateway carries a stream. */
@Tag("servers")
final class CephContractTest extends ObjectStoreContract {
  private final String place = CephServer.only().freshPlace();

  @Override
  public ObjectStore open() {
    return Stores.open(place);
  }
}
