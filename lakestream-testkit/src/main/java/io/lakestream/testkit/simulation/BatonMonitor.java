// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.simulation;

import io.lakestream.runtime.Monitor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A monitor among tasks of which one runs at a time. Nobody gives the baton away while holding a
 * lock, except to wait, so a lock is always free; but the baton may be lost just before it is
 * taken.
 */
final class BatonMonitor implements Monitor {
  private final Scheduler scheduler;
  private final int preemptedOneIn;
  private @Nullable SimulatedTask holder;

  BatonMonitor(Scheduler scheduler, int preemptedOneIn) {
    this.scheduler = scheduler;
    this.preemptedOneIn = preemptedOneIn;
  }

  @Override
  public void lock() {
    SimulatedTask task = scheduler.current();
    task.process().requireAlive();
    if (scheduler.isPreempted(preemptedOneIn)) {
      task.giveWay(() -> true, Long.MAX_VALUE);
    }
    take(task);
  }

  @Override
  public void unlock() {
    giveBack(scheduler.current());
  }

  @Override
  public void await(BooleanSupplier condition) throws InterruptedException {
    boolean ignored = await(condition, Long.MAX_VALUE);
  }

  @Override
  public boolean await(BooleanSupplier condition, long nanos) throws InterruptedException {
    SimulatedTask task = scheduler.current();
    task.process().requireAlive();
    if (condition.getAsBoolean()) {
      return true;
    }
    giveBack(task);
    try {
      task.await(condition, scheduler.nanosFromNow(nanos));
    } finally {
      take(task);
    }
    return condition.getAsBoolean();
  }

  private void take(SimulatedTask task) {
    SimulatedTask other = holder;
    if (other != null && !task.process().isKilled()) {
      throw misuse(
          "%s takes a lock that %s holds: nobody may sleep, call a store or take another lock while"
                  .formatted(task.name(), other.name())
              + " holding one");
    }
    holder = task;
  }

  /** The dead are let off: they unwind in any order, and nobody else has their locks. */
  private void giveBack(SimulatedTask task) {
    if (holder != task && !task.process().isKilled()) {
      throw misuse(task.name() + " gives back a lock that it does not hold");
    }
    holder = null;
  }

  /** Reported at once: a finally block that gives the lock back would fail too and hide it. */
  private AssertionError misuse(String what) {
    AssertionError error = new AssertionError(what);
    scheduler.fail(what, error);
    return error;
  }
}
