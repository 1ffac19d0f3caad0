// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.store.ObjectStore;
import io.lakestream.testkit.ForwardingStore;

/** A store that all processes of a simulation share, and none of them closes. */
class LastingStore extends ForwardingStore {
  LastingStore(ObjectStore store) {
    super(store);
  }

  @Override
  public final void close() {}
}
