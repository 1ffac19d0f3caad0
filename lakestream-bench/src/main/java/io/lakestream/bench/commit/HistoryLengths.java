// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.commit;

import io.lakestream.model.InvalidRequest;
import java.util.List;

/**
 * Lengths of the histories that are compared.
 *
 * @param steps numbers of steps, the first of which the others are compared with
 */
public record HistoryLengths(List<Long> steps) {
  /** A thousand, a million and ten million steps. */
  public static final HistoryLengths DEFAULT =
      new HistoryLengths(List.of(1_000L, 1_000_000L, 10_000_000L));

  private static final long STEPS_MAX = 100_000_000;

  public HistoryLengths {
    steps = List.copyOf(steps);
    for (long length : steps) {
      if (length < 1 || length > STEPS_MAX) {
        throw new InvalidRequest(
            "a history has 1 to %,d steps, not %,d".formatted(STEPS_MAX, length));
      }
    }
    if (steps.isEmpty()) {
      throw new InvalidRequest("name at least one length");
    }
  }
}
