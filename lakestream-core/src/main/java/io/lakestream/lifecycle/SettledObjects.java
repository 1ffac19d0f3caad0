// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import java.io.IOException;

/** Objects whose names settle their bytes, so that it is no matter who put one that is there. */
final class SettledObjects {
  private SettledObjects() {}

  /**
   * Puts an object.
   *
   * @return whether it is there; if not, it may still come
   */
  static boolean put(ObjectStore store, String key, Body body) throws IOException {
    return store.putIfAbsent(key, body) != PutOutcome.UNKNOWN || store.size(key).isPresent();
  }
}
