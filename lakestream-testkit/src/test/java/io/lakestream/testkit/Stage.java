// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.runtime.Clock;
import io.lakestream.runtime.Environment;
import io.lakestream.runtime.Tasks;
import io.lakestream.store.MemoryStore;
import io.lakestream.testkit.simulation.SimulatedProcess;
import io.lakestream.testkit.simulation.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** One process in a simulation, before a store that is slow. */
final class Stage {
  private final Simulation simulation;
  private final SimulatedProcess process;
  private final SlowStore store;

  /**
   * @param usualMillis how long calls take of which nothing else is said
   */
  Stage(long seed, ExecutorService threads, LongSupplier usualMillis) {
    simulation = new Simulation(seed, threads, TimeUnit.DAYS.toNanos(10));
    process = simulation.process("p", 0);
    store = new SlowStore(new MemoryStore(), clock(), usualMillis);
  }

  SplittableRandom random() {
    return simulation.split();
  }

  SimulatedProcess process() {
    return process;
  }

  Environment environment() {
    return process.environment();
  }

  Clock clock() {
    return environment().clock();
  }

  SlowStore store() {
    return store;
  }

  long nowMillis() {
    return TimeUnit.NANOSECONDS.toMillis(simulation.nowNanos());
  }

  /** How often one thread went on instead of another: equal for equal runs. */
  long switches() {
    return simulation.switches();
  }

  /** A thread; it fails the run if it throws. */
  Tasks.Task start(String name, SimulatedProcess.Body body) {
    return environment()
        .tasks()
        .start(
            name,
            () -> {
              try {
                body.run();
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
  }

  /** Lets so many threads do the same, and waits for them. */
  void together(int threads, SimulatedProcess.Body body) throws InterruptedException {
    List<Tasks.Task> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      tasks.add(start("t" + i, body));
    }
    for (Tasks.Task task : tasks) {
      task.join();
    }
  }

  /** Runs until every thread has ended, those of a store too. */
  void run(SimulatedProcess.Body body) throws InterruptedException {
    process.start("main", body);
    assertThat(simulation.run()).isEmpty();
  }
}
