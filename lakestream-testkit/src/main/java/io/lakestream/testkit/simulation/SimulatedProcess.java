// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.simulation;

import io.lakestream.runtime.Clock;
import io.lakestream.runtime.Entropy;
import io.lakestream.runtime.Environment;
import io.lakestream.runtime.Monitor;
import io.lakestream.runtime.Tasks;
import java.util.SplittableRandom;

/**
 * A process in a simulation: threads that live, pause and die together. Its {@link #environment} is
 * what the code that runs in it gets in place of the JDK's.
 */
public final class SimulatedProcess {
  private static final int PREEMPTED_ONE_IN = 8;

  private final Scheduler scheduler;
  private final String name;
  private final Environment environment;
  private boolean isKilled;
  private long pausedUntilNanos;

  SimulatedProcess(Scheduler scheduler, String name, SplittableRandom random, long skewMillis) {
    this.scheduler = scheduler;
    this.name = name;
    this.environment =
        new Environment(new VirtualClock(skewMillis), new SeededEntropy(random), new BatonTasks());
  }

  /** What a thread of the process does. */
  @FunctionalInterface
  public interface Body {
    void run() throws Exception;
  }

  public String name() {
    return name;
  }

  /** Clock, chance and threads of the process. */
  public Environment environment() {
    return environment;
  }

  /** Starts a thread; what it throws, unless it was killed, fails the simulation. */
  public void start(String thread, Body body) {
    Tasks.Task unused =
        environment
            .tasks()
            .start(
                name + "-" + thread,
                () -> {
                  try {
                    body.run();
                  } catch (RuntimeException e) {
                    throw e;
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                });
  }

  /**
   * Ends the process at once: none of its threads has any effect from now on. Does not return to a
   * thread of the process itself.
   */
  public void kill() {
    end();
    if (scheduler.isRunning(this)) {
      requireAlive();
    }
  }

  /** Ends the process when its threads next wait. */
  void end() {
    isKilled = true;
  }

  public boolean isKilled() {
    return isKilled;
  }

  /** Stops all threads of the process for a time, the caller too if it is one, as SIGSTOP does. */
  public void pause(long nanos) {
    pausedUntilNanos = Math.max(pausedUntilNanos, scheduler.nanosFromNow(nanos));
    if (scheduler.isRunning(this)) {
      scheduler.current().giveWay(() -> true, Long.MAX_VALUE);
    }
  }

  long pausedUntilNanos() {
    return pausedUntilNanos;
  }

  void requireAlive() {
    if (isKilled) {
      throw new Killed(name);
    }
  }

  private final class VirtualClock implements Clock {
    /** Some day, so that no code takes zero for "never". */
    private static final long EPOCH_MILLIS = 1_700_000_000_000L;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final long skewMillis;

    VirtualClock(long skewMillis) {
      this.skewMillis = skewMillis;
    }

    @Override
    public long nanoTime() {
      return scheduler.nowNanos();
    }

    @Override
    public long epochMillis() {
      return EPOCH_MILLIS + skewMillis + scheduler.nowNanos() / NANOS_PER_MILLI;
    }

    @Override
    public void sleep(long nanos) throws InterruptedException {
      SimulatedTask task = scheduler.current();
      task.process().requireAlive();
      if (nanos > 0) {
        task.await(() -> false, scheduler.nanosFromNow(nanos));
      }
    }
  }

  private static final class SeededEntropy implements Entropy {
    private final SplittableRandom random;

    SeededEntropy(SplittableRandom random) {
      this.random = random;
    }

    @Override
    public long nextLong() {
      return random.nextLong();
    }

    @Override
    public double nextDouble() {
      return random.nextDouble();
    }
  }

  private final class BatonTasks implements Tasks {
    @Override
    public Task start(String task, Runnable body) {
      requireAlive();
      SimulatedTask started = new SimulatedTask(scheduler, SimulatedProcess.this, task, body);
      scheduler.start(started);
      return started;
    }

    @Override
    public Monitor monitor() {
      return new BatonMonitor(scheduler, PREEMPTED_ONE_IN);
    }
  }
}
