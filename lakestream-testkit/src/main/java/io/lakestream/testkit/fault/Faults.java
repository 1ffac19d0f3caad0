// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import io.lakestream.store.StoreMetrics.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The rules in force, shared by all who use one store. The first rule that matches a call and whose
 * chance says so strikes it. Safe for use by several threads.
 */
public final class Faults {
  private final SplittableRandom random;
  private final List<Entry> entries = new ArrayList<>();

  private static final class Entry {
    private final FaultRule rule;
    private int timesLeft;

    Entry(FaultRule rule) {
      this.rule = rule;
      this.timesLeft = rule.timesMax();
    }
  }

  /** No rules yet; chances are drawn from {@code random}, which is not shared. */
  public Faults(SplittableRandom random) {
    this.random = random;
  }

  /** Adds a rule behind the others. */
  public synchronized void add(FaultRule rule) {
    entries.add(new Entry(rule));
  }

  /** Adds a rule before the others. */
  public synchronized void addFirst(FaultRule rule) {
    entries.add(0, new Entry(rule));
  }

  /** Takes back a rule, if it is in force. */
  public synchronized void remove(FaultRule rule) {
    entries.removeIf(entry -> entry.rule.equals(rule));
  }

  /** From now on nothing goes wrong. */
  public synchronized void heal() {
    entries.clear();
  }

  /** What goes wrong with a call, if anything does. */
  synchronized Optional<Fault> next(Operation operation, String key) {
    for (Entry entry : entries) {
      FaultRule rule = entry.rule;
      if (entry.timesLeft > 0
          && rule.operations().contains(operation)
          && key.startsWith(rule.keyPrefix())
          && random.nextDouble() < rule.chance()) {
        entry.timesLeft--;
        return Optional.of(rule.fault());
      }
    }
    return Optional.empty();
  }
}
