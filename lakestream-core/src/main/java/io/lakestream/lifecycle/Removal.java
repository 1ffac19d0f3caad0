// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.store.DeleteFailure;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.util.List;

/** Deletes objects, or only counts them. */
@FunctionalInterface
interface Removal {
  /** As many keys as stores delete in one request. */
  int DELETED_AT_ONCE = 1_000;

  /**
   * Removes objects; one that is not there counts as removed.
   *
   * @throws IOException if one could not be removed
   */
  void remove(List<String> keys) throws IOException;

  /** Deletes them. */
  static Removal from(ObjectStore store) {
    return keys -> {
      for (int from = 0; from < keys.size(); from += DELETED_AT_ONCE) {
        delete(store, keys.subList(from, Math.min(keys.size(), from + DELETED_AT_ONCE)));
      }
    };
  }

  private static void delete(ObjectStore store, List<String> keys) throws IOException {
    List<DeleteFailure> failures = store.delete(keys);
    if (!failures.isEmpty()) {
      throw new IOException(
          "%d of %d objects could not be deleted, the first is %s: %s"
              .formatted(
                  failures.size(), keys.size(), failures.get(0).key(), failures.get(0).reason()));
    }
  }

  /** Leaves them. */
  static Removal none() {
    return keys -> {};
  }
}
