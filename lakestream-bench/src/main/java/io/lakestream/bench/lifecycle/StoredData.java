// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.lifecycle;

import io.lakestream.StreamView;
import io.lakestream.model.StepInfo;
import io.lakestream.store.Listings;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The objects that hold batches, as a listing finds them.
 *
 * @param sizes their lengths by their keys
 */
record StoredData(SortedMap<String, Long> sizes) {
  private static final String DATA = "data/";

  static StoredData list(ObjectStore store) throws IOException {
    SortedMap<String, Long> sizes = new TreeMap<>();
    Listings.visit(
        store, DATA, page -> page.forEach(entry -> sizes.put(entry.key(), entry.size())));
    return new StoredData(sizes);
  }

  long bytes() {
    return sizes.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * The steps that the stream says it has, and yet are not here whole.
   *
   * @param view the stream as it was before the listing
   */
  SortedSet<Long> lacking(StreamView view) {
    SortedSet<Long> lacking = new TreeSet<>();
    StreamView.Summary stream = view.summary();
    for (long step = stream.firstStep(); step < stream.nextStep(); step++) {
      if (!isWhole(view.step(step))) {
        lacking.add(step);
      }
    }
    return lacking;
  }

  private boolean isWhole(StepInfo step) {
    long bytes = step.objects().stream().mapToLong(key -> sizes.getOrDefault(key, 0L)).sum();
    return sizes.keySet().containsAll(step.objects())
        && bytes >= step.objectOffset() + step.bytes();
  }
}
