// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A {@link Monitor} on a lock of the JDK.
 *
 * <p>Why nobody waits while his condition holds and the lock is free. Whoever gives the lock back
 * wakes one waiter whose condition holds, if there is any. A woken waiter takes the lock, and gives
 * it back in turn: after acting on its condition, after finding that another thread was faster, or
 * after its time or an interrupt ended the wait. Each time the same is done again, so the chain
 * ends only when no waiter's condition holds.
 */
final class SystemMonitor implements Monitor {
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Waiter> waiters = new ArrayList<>();

  /** A waiting thread; woken at most once for each time that it starts to wait. */
  private static final class Waiter {
    private final BooleanSupplier condition;
    private final Condition wakeUp;
    private boolean isWoken;

    Waiter(BooleanSupplier condition, Condition wakeUp) {
      this.condition = condition;
      this.wakeUp = wakeUp;
    }
  }

  @Override
  public void lock() {
    lock.lock();
  }

  @Override
  public void unlock() {
    wakeNext();
    lock.unlock();
  }

  @Override
  public void await(BooleanSupplier condition) throws InterruptedException {
    boolean ignored = await(condition, Long.MAX_VALUE);
  }

  @Override
  public boolean await(BooleanSupplier condition, long nanos) throws InterruptedException {
    if (condition.getAsBoolean()) {
      return true;
    }
    Waiter waiter = new Waiter(condition, lock.newCondition());
    waiters.add(waiter);
    try {
      long left = nanos;
      do {
        if (left <= 0) {
          return false;
        }
        waiter.isWoken = false;
        wakeNext();
        left = waiter.wakeUp.awaitNanos(left);
      } while (!condition.getAsBoolean());
      return true;
    } finally {
      waiters.remove(waiter);
    }
  }

  private void wakeNext() {
    for (Waiter waiter : waiters) {
      if (!waiter.isWoken && waiter.condition.getAsBoolean()) {
        waiter.isWoken = true;
        waiter.wakeUp.signal();
        return;
      }
    }
  }
}
