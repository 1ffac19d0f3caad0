// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store.bucket;

import io.lakestream.store.DeleteFailure;
import io.lakestream.store.Keys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Deletes many objects by requests that take a bounded number each. */
public final class BatchedDeletes {
  /** Deletes some objects by one request. */
  @FunctionalInterface
  public interface Batch {
    /**
     * Deletes the objects of {@code keys}, at most as many as a request takes.
     *
     * @return those that were not deleted
     * @throws IOException if nothing is known of any of them
     */
    List<DeleteFailure> delete(List<String> keys) throws IOException;
  }

  private BatchedDeletes() {}

  /**
   * Deletes the objects of {@code keys}, each once.
   *
   * @param batchMax how many a request takes
   * @return those that were not deleted; what a failed request left undone too, if one before it
   *     did something
   * @throws IOException if nothing is known of any of them
   */
  public static List<DeleteFailure> run(List<String> keys, int batchMax, Batch batch)
      throws IOException {
    keys.forEach(Keys::requireKey);
    List<String> distinct = keys.stream().distinct().toList();
    List<DeleteFailure> failures = new ArrayList<>();
    for (int i = 0; i < distinct.size(); i += batchMax) {
      try {
        failures.addAll(batch.delete(distinct.subList(i, Math.min(distinct.size(), i + batchMax))));
      } catch (IOException e) {
        if (i == 0) {
          throw e;
        }
        distinct.subList(i, distinct.size()).stream()
            .map(key -> new DeleteFailure(key, String.valueOf(e.getMessage())))
            .forEach(failures::add);
        return failures;
      }
    }
    return failures;
  }
}
