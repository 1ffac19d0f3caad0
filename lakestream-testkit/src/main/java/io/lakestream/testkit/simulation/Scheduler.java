// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Passes the baton. The task that has it is the only one that runs; when it waits, the seed decides
 * who of those that could go on is next, and if nobody could, the clock jumps to when somebody can.
 *
 * <p>Everything here is read and written by the holder of the baton only; handing it over orders
 * memory.
 */
final class Scheduler {
  private final SplittableRandom random;
  private final ExecutorService threads;
  private final long endNanos;
  private final List<SimulatedTask> tasks = new ArrayList<>();
  private final List<SimulatedProcess> processes = new ArrayList<>();
  private final List<SimulatedTask> ready = new ArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private long nowNanos;
  private long switches;
  private boolean isOver;
  private @Nullable SimulatedTask current;
  private @Nullable Failure failure;

  Scheduler(SplittableRandom random, ExecutorService threads, long endNanos) {
    this.random = random;
    this.threads = threads;
    this.endNanos = endNanos;
  }

  long nowNanos() {
    return nowNanos;
  }

  long switches() {
    return switches;
  }

  Optional<Failure> failure() {
    return Optional.ofNullable(failure);
  }

  /** The time on the virtual clock after so many nanoseconds; the end of time if that is beyond. */
  long nanosFromNow(long nanos) {
    return nanos > Long.MAX_VALUE - nowNanos ? Long.MAX_VALUE : nowNanos + nanos;
  }

  /** Adds a process, a dead one if the simulation is over. */
  void add(SimulatedProcess process) {
    processes.add(process);
    if (isOver) {
      process.end();
    }
  }

  /** The task that has the baton. */
  SimulatedTask current() {
    SimulatedTask task = current;
    if (task == null) {
      throw new AssertionError("called from outside of the simulation");
    }
    return task;
  }

  boolean isRunning(SimulatedProcess process) {
    return current != null && current.process() == process;
  }

  void start(SimulatedTask task) {
    // In this order: a task that got no thread could not take the baton.
    threads.execute(task::run);
    tasks.add(task);
  }

  /** Starts the first task, and waits until there is none any more. */
  void run() throws InterruptedException {
    passOn();
    over.await();
  }

  /** Ends the simulation: what went wrong first is what is reported. */
  void fail(String what, @Nullable Throwable cause) {
    if (failure == null) {
      failure = new Failure(what, cause, nowNanos);
      end();
    }
  }

  /** Kills whoever is left. */
  void end() {
    isOver = true;
    processes.forEach(SimulatedProcess::end);
  }

  boolean isOver() {
    return isOver;
  }

  /** Whether the task with the baton should lose it here, where a real one could. */
  boolean isPreempted(int oneIn) {
    return !isOver && random.nextInt(oneIn) == 0;
  }

  /** Gives the baton to whoever is next; the caller waits for it or ends. */
  void passOn() {
    tasks.removeIf(SimulatedTask::isEnded);
    if (tasks.isEmpty()) {
      current = null;
      over.countDown();
      return;
    }
    long next = findReady();
    while (ready.isEmpty()) {
      jump(next);
      next = findReady();
    }
    switches++;
    SimulatedTask chosen = ready.get(random.nextInt(ready.size()));
    current = chosen;
    chosen.giveBaton();
  }

  /** Finds who can go on now; when the first can at the latest, if nobody acts before. */
  private long findReady() {
    ready.clear();
    long first = Long.MAX_VALUE;
    for (SimulatedTask task : tasks) {
      long nanos = readyNanos(task);
      if (nanos <= nowNanos) {
        ready.add(task);
      }
      first = Math.min(first, nanos);
    }
    return first;
  }

  /** What a condition throws is the fault of the task that waits for it, not of who asks here. */
  private long readyNanos(SimulatedTask task) {
    try {
      return task.readyNanos(nowNanos);
    } catch (RuntimeException | Error e) {
      fail("the condition that task " + task.name() + " waits for threw", e);
      return nowNanos;
    }
  }

  private void jump(long nanos) {
    if (nanos == Long.MAX_VALUE) {
      fail("nobody can go on: " + tasks.stream().map(SimulatedTask::name).toList(), null);
    } else if (nanos > endNanos) {
      fail("not over in time: " + tasks.stream().map(SimulatedTask::name).toList(), null);
    } else {
      nowNanos = nanos;
    }
  }
}
