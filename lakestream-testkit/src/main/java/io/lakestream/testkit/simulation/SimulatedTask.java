// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.simulation;

import io.lakestream.runtime.Tasks;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A thread of a simulated process, which runs only while it has the baton. */
final class SimulatedTask implements Tasks.Task {
  private final Scheduler scheduler;
  private final SimulatedProcess process;
  private final String name;
  private final Runnable body;
  private volatile @Nullable Thread thread;
  private BooleanSupplier wakeCondition = () -> true;
  private long wakeNanos = Long.MAX_VALUE;
  private boolean isInterruptible;
  private boolean isInterrupted;
  private boolean isEnded;
  private volatile boolean hasBaton;

  SimulatedTask(Scheduler scheduler, SimulatedProcess process, String name, Runnable body) {
    this.scheduler = scheduler;
    this.process = process;
    this.name = name;
    this.body = body;
  }

  String name() {
    return name;
  }

  SimulatedProcess process() {
    return process;
  }

  boolean isEnded() {
    return isEnded;
  }

  /** When the task can go on if nobody else does anything, on the virtual clock; now if killed. */
  long readyNanos(long nowNanos) {
    if (process.isKilled()) {
      return nowNanos;
    }
    boolean isDue = (isInterruptible && isInterrupted) || wakeCondition.getAsBoolean();
    return Math.max(isDue ? nowNanos : wakeNanos, process.pausedUntilNanos());
  }

  /** Runs the body; called in the thread that is the task's own from now on. */
  void run() {
    thread = Thread.currentThread();
    awaitBaton();
    try {
      process.requireAlive();
      body.run();
    } catch (Killed e) {
      // As meant.
    } catch (RuntimeException | Error e) {
      // What a dead thread's finally blocks throw was never seen by anybody.
      if (!process.isKilled()) {
        scheduler.fail("task " + name + " threw", e);
      }
    } finally {
      isEnded = true;
      boolean ignored = Thread.interrupted();
      scheduler.passOn();
    }
  }

  /** Gives the baton away until the condition holds, the time has come or an interrupt arrives. */
  void await(BooleanSupplier condition, long untilNanos) throws InterruptedException {
    isInterruptible = true;
    try {
      giveWay(condition, untilNanos);
      if (isInterrupted) {
        isInterrupted = false;
        throw new InterruptedException(name + " was interrupted");
      }
    } finally {
      isInterruptible = false;
    }
  }

  /** As {@link #await}, deaf to interrupts. */
  void giveWay(BooleanSupplier condition, long untilNanos) {
    // Code that gives an interrupt back to its thread means the next wait.
    isInterrupted |= Thread.interrupted();
    process.requireAlive();
    wakeCondition = condition;
    wakeNanos = untilNanos;
    scheduler.passOn();
    awaitBaton();
    wakeNanos = Long.MAX_VALUE;
    process.requireAlive();
  }

  void giveBaton() {
    hasBaton = true;
    LockSupport.unpark(thread);
  }

  private void awaitBaton() {
    while (!hasBaton) {
      LockSupport.park(this);
      // Nobody in the simulation interrupts threads; and it is not this task's turn to write.
      boolean ignored = Thread.interrupted();
    }
    hasBaton = false;
  }

  @Override
  public void interrupt() {
    isInterrupted = true;
  }

  @Override
  public void join() throws InterruptedException {
    scheduler.current().await(() -> isEnded, Long.MAX_VALUE);
  }
}
