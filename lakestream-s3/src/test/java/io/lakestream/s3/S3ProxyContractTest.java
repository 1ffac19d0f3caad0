// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import io.lakestream.store.ObjectStore;
import io.lakestream.store.Stores;
import io.lakestream.testkit.ObjectStoreContract;

/** S3Proxy carries a stream. */
final class S3ProxyContractTest extends ObjectStoreContract {
  private final String place = S3ProxyServer.freshPlace();

  @Override
  public ObjectStore open() {
    return Stores.open(place);
  }
}
