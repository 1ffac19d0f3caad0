// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.store.ObjectEntry;
import java.util.List;
import java.util.TreeSet;

/** Objects, counted, and the keys of a few. */
final class Tally {
  /** Keys that a note names. */
  static final int EXAMPLES_MAX = 3;

  private final TreeSet<String> lowest = new TreeSet<>();
  private long objects;
  private long bytes;

  void add(ObjectEntry entry) {
    add(entry.key(), entry.size());
  }

  void add(String key, long length) {
    objects++;
    bytes += length;
    boolean unused = lowest.add(key);
    if (lowest.size() > EXAMPLES_MAX) {
      String ignored = lowest.pollLast();
    }
  }

  boolean isEmpty() {
    return objects == 0;
  }

  long objects() {
    return objects;
  }

  /** Their length in all. */
  long bytes() {
    return bytes;
  }

  /** The lowest keys. */
  List<String> examples() {
    return List.copyOf(lowest);
  }
}
