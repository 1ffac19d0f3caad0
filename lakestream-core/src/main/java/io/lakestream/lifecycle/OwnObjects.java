// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import java.io.IOException;

/** Objects whose names only their owner uses, so that what occupies one is a resent put of his. */
final class OwnObjects {
  private OwnObjects() {}

  /**
   * Puts an object.
   *
   * @return whether it is there; if not, it may still come
   */
  static boolean put(ObjectStore store, String key, Body body) throws IOException {
    return store.putIfAbsent(key, body) != PutOutcome.UNKNOWN || store.size(key).isPresent();
  }
}
