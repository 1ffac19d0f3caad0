// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.simulation;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;

/**
 * One run of processes under a virtual clock. The same seed gives the same run, to the last event.
 * For use by one thread, and by the tasks of its processes while it runs.
 */
public final class Simulation {
  private final SplittableRandom random;
  private final Scheduler scheduler;

  /**
   * @param seed decides everything
   * @param threads where the tasks run, each at once in a thread of its own; shared by simulations,
   *     since threads are slow to start
   * @param endNanos when a run that is not over has failed
   */
  public Simulation(long seed, ExecutorService threads, long endNanos) {
    this.random = new SplittableRandom(seed);
    this.scheduler = new Scheduler(random.split(), threads, endNanos);
  }

  /** Chance for the scenario itself: not shared with the scheduler, nor with any process. */
  public SplittableRandom split() {
    return random.split();
  }

  /**
   * A new process.
   *
   * @param skewMillis how far its clock of the day is off
   */
  public SimulatedProcess process(String name, long skewMillis) {
    SimulatedProcess process = new SimulatedProcess(scheduler, name, random.split(), skewMillis);
    scheduler.add(process);
    return process;
  }

  /** Nanoseconds since the start, on the virtual clock. */
  public long nowNanos() {
    return scheduler.nowNanos();
  }

  /** How often the baton was passed. */
  public long switches() {
    return scheduler.switches();
  }

  /** Says from within that something is wrong, which ends the run. */
  public void fail(String what, Throwable cause) {
    scheduler.fail(what, cause);
  }

  /** Runs until every task has ended; what went wrong, if anything did. */
  public Optional<Failure> run() throws InterruptedException {
    scheduler.run();
    return scheduler.failure();
  }
}
