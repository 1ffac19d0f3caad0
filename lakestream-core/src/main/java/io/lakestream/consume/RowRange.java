// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

import io.lakestream.model.InvalidRequest;
import io.lakestream.model.RankBatch;
import java.util.ArrayList;
import java.util.List;

/**
 * Consecutive rows of a replica.
 *
 * @param replica the replica as it was written
 * @param first the first of them
 * @param count how many they are
 * @param stored how many the replica has
 */
record RowRange(int replica, int first, int count, int stored) {

  /** All rows of a replica, however many. */
  static RowRange all(int replica) {
    return new RowRange(replica, 0, RankBatch.Source.ALL_ROWS, RankBatch.Source.ALL_ROWS);
  }

  /**
   * The rows of a batch that go to one of {@code ranks} ranks: of all rows in the order of
   * replicas, as numpy's {@code array_split} deals them. The first ranks have one more where it
   * does not come out even.
   *
   * @param rows how many rows each replica has
   * @throws InvalidRequest if there are fewer rows than ranks
   */
  static List<RowRange> deal(List<Integer> rows, int ranks, int rank) {
    long total = rows.stream().mapToLong(Integer::longValue).sum();
    if (total < ranks) {
      throw new InvalidRequest(
          "a batch of %d rows cannot be dealt to %d replicas; use at most %d"
              .formatted(total, ranks, total));
    }
    long share = total / ranks;
    long longer = total % ranks;
    long start = rank * share + Math.min(rank, longer);
    long end = start + share + (rank < longer ? 1 : 0);
    return between(rows, start, end);
  }

  private static List<RowRange> between(List<Integer> rows, long start, long end) {
    List<RowRange> ranges = new ArrayList<>();
    long before = 0;
    for (int replica = 0; replica < rows.size(); replica++) {
      int stored = rows.get(replica);
      long first = Math.max(start, before);
      long last = Math.min(end, before + stored);
      if (first < last) {
        int count = Math.toIntExact(last - first);
        ranges.add(new RowRange(replica, Math.toIntExact(first - before), count, stored));
      }
      before += stored;
    }
    return ranges;
  }
}
