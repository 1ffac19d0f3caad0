// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import io.lakestream.store.StoreMetrics.Operation;
import java.util.Set;

/**
 * When a fault strikes.
 *
 * @param operations the kinds of call that it strikes
 * @param keyPrefix what their keys start with
 * @param chance how probable it is for each of them, 1 for certain
 * @param timesMax how often it strikes at most
 * @param fault what it does
 */
public record FaultRule(
    Set<Operation> operations, String keyPrefix, double chance, int timesMax, Fault fault) {
  public FaultRule {
    operations = Set.copyOf(operations);
    if (!(chance >= 0 && chance <= 1) || timesMax < 0) {
      throw new IllegalArgumentException(
          "a chance is in [0, 1] and a number of times 0 or more, not %s and %d"
              .formatted(chance, timesMax));
    }
  }

  /** A fault that strikes the next call of a kind, once. */
  public static FaultRule once(Operation operation, String keyPrefix, Fault fault) {
    return new FaultRule(Set.of(operation), keyPrefix, 1, 1, fault);
  }

  /** A fault that strikes each call of a kind with a probability. */
  public static FaultRule often(Operation operation, String keyPrefix, double chance, Fault fault) {
    return new FaultRule(Set.of(operation), keyPrefix, chance, Integer.MAX_VALUE, fault);
  }
}
