// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.store.ListPage;
import io.lakestream.store.ObjectEntry;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The objects of a namespace by what their keys start with; counts what it lists. */
final class Listing {
  /** Keys that a note names. */
  private static final int EXAMPLES_MAX = 3;

  private final ObjectStore store;
  private long objects;
  private long bytes;

  Listing(ObjectStore store) {
    this.store = store;
  }

  /**
   * Lengths by key.
   *
   * @param folder a key prefix that ends in {@code /}
   */
  SortedMap<String, Long> of(String folder) throws IOException, InterruptedException {
    SortedMap<String, Long> lengths = new TreeMap<>();
    Optional<String> next = Optional.empty();
    do {
      if (Thread.interrupted()) {
        throw new InterruptedException("the check was interrupted");
      }
      ListPage page = store.list(folder, next);
      for (ObjectEntry entry : page.entries()) {
        lengths.put(entry.key(), entry.size());
      }
      next = page.next();
    } while (next.isPresent());
    return lengths;
  }

  /** Counts objects that are not listed again. */
  void count(SortedMap<String, Long> lengths) {
    objects += lengths.size();
    bytes += bytes(lengths);
  }

  long objects() {
    return objects;
  }

  long bytes() {
    return bytes;
  }

  /** The length of objects in all. */
  static long bytes(SortedMap<String, Long> lengths) {
    return lengths.values().stream().mapToLong(Long::longValue).sum();
  }

  /** A few of many keys. */
  static List<String> examples(SortedMap<String, Long> lengths) {
    List<String> examples = new ArrayList<>(lengths.keySet());
    return List.copyOf(examples.subList(0, Math.min(EXAMPLES_MAX, examples.size())));
  }
}
