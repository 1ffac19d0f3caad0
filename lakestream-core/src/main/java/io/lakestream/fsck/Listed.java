// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.store.ObjectEntry;
import java.util.TreeMap;

/**
 * The objects of a folder as they were listed, and which of them something refers to. Each is held
 * once, since a namespace may have many millions.
 */
final class Listed {
  private final TreeMap<String, Long> unreferenced = new TreeMap<>();
  private final TreeMap<String, Long> referenced = new TreeMap<>();

  void add(ObjectEntry entry) {
    var unused = unreferenced.put(entry.key(), entry.size());
  }

  /**
   * Something refers to an object.
   *
   * @return its length, 0 if it was not listed
   */
  long refer(String key) {
    Long length = unreferenced.remove(key);
    if (length == null) {
      return referenced.getOrDefault(key, 0L);
    }
    var unused = referenced.put(key, length);
    return length;
  }

  /** Objects that nothing refers to, up to now. */
  Tally unreferenced() {
    Tally tally = new Tally();
    unreferenced.forEach(tally::add);
    return tally;
  }
}
