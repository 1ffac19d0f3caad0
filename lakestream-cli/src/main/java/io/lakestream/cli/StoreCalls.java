// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.store.StoreMetrics;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The calls of one operation of a store, for JSON.
 *
 * @param requests calls made
 * @param misses calls that found nothing, or a key that was taken
 * @param failures calls that failed
 * @param bytesRead bytes read
 * @param bytesWritten bytes written
 * @param millis time spent in them
 */
public record StoreCalls(
    long requests, long misses, long failures, long bytesRead, long bytesWritten, double millis) {

  /** The calls of each operation, by its name. */
  public static SortedMap<String, StoreCalls> of(StoreMetrics metrics) {
    SortedMap<String, StoreCalls> calls = new TreeMap<>();
    metrics
        .byOperation()
        .forEach(
            (operation, counts) ->
                calls.put(
                    operation.label(),
                    new StoreCalls(
                        counts.requests(),
                        counts.misses(),
                        counts.failures(),
                        counts.bytesRead(),
                        counts.bytesWritten(),
                        Units.millis(counts.nanos()))));
    return calls;
  }
}
