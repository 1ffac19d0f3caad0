// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The system's threads with one lock for all, so that a test can wait until nothing moves any more:
 * until each of them waits for a condition that does not hold.
 */
public final class WatchedTasks implements Tasks {
  private final Tasks system = Environment.system().tasks();
  private final Monitor lock = system.monitor();
  private final List<BooleanSupplier> awaited = new ArrayList<>();
  private int running;

  /** The system's clocks and chance with these threads. */
  public Environment environment() {
    return new Environment(Environment.system().clock(), Environment.system().entropy(), this);
  }

  /** Waits until all threads that were started here wait or have ended. */
  public void awaitIdle() throws InterruptedException {
    awaitIdleWith(0);
  }

  /** As {@link #awaitIdle}, and until {@code others} threads that were started elsewhere wait. */
  public void awaitIdleWith(int others) throws InterruptedException {
    boolean ignored =
        lock.when(
            () ->
                awaited.size() == running + others
                    && awaited.stream().noneMatch(BooleanSupplier::getAsBoolean),
            () -> true);
  }

  @Override
  public Task start(String name, Runnable body) {
    count(1);
    return system.start(
        name,
        () -> {
          try {
            body.run();
          } finally {
            count(-1);
          }
        });
  }

  private void count(int more) {
    lock.change(() -> running += more);
  }

  @Override
  public Monitor monitor() {
    return new WatchedMonitor();
  }

  private final class WatchedMonitor implements Monitor {
    @Override
    public void lock() {
      lock.lock();
    }

    @Override
    public void unlock() {
      lock.unlock();
    }

    @Override
    public void await(BooleanSupplier condition) throws InterruptedException {
      awaited.add(condition);
      try {
        lock.await(condition);
      } finally {
        awaited.remove(condition);
      }
    }

    @Override
    public boolean await(BooleanSupplier condition, long nanos) throws InterruptedException {
      awaited.add(condition);
      try {
        return lock.await(condition, nanos);
      } finally {
        awaited.remove(condition);
      }
    }
  }
}
