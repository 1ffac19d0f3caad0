// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.testkit.simulation.SimulatedProcess;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Somebody who is started again whenever he ends or is killed, until he has done all he has to do.
 * While things go wrong he is killed and stopped at random, and at times a second one is started
 * beside him.
 */
abstract class Life {
  private static final long STOPPED_MEAN_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final World world;
  private final String name;
  private final SplittableRandom random;
  private int lives;

  Life(World world, String name) {
    this.world = world;
    this.name = name;
    this.random = world.random().split();
  }

  World world() {
    return world;
  }

  String name() {
    return name;
  }

  SplittableRandom random() {
    return random;
  }

  /** One life; returns when it has ended by itself. */
  abstract void live(SimulatedProcess process) throws InterruptedException;

  /** Whether there is nothing left to do. */
  abstract boolean isDone();

  /** Whether a second one may live beside the first. */
  boolean mayBeDoubled() {
    return true;
  }

  /** How long a life is on average, if nothing else ends it. */
  long meanNanos(Chances chances) {
    return chances.lifeMeanNanos();
  }

  /** Runs lives until there is nothing left to do, in a process that is never killed. */
  void supervise(SimulatedProcess operator, long meanNanos, long healNanos)
      throws InterruptedException {
    while (!isDone()) {
      boolean[] hasEnded = new boolean[1];
      SimulatedProcess process = start(hasEnded);
      operate(operator, process, hasEnded, meanNanos, healNanos);
    }
  }

  private SimulatedProcess start(boolean[] hasEnded) {
    SimulatedProcess process = world.process(name + "." + ++lives);
    world.tell(process.name() + " starts");
    world.begins(process);
    process.start(
        "main",
        () -> {
          live(process);
          hasEnded[0] = true;
          world.ends(process);
          world.tell(process.name() + " ends");
        });
    return process;
  }

  private void operate(
      SimulatedProcess operator,
      SimulatedProcess process,
      boolean[] hasEnded,
      long meanNanos,
      long healNanos)
      throws InterruptedException {
    var clock = operator.environment().clock();
    while (!hasEnded[0] && !process.isKilled()) {
      boolean isHealed = clock.nanoTime() >= healNanos;
      clock.sleep(isHealed ? TimeUnit.SECONDS.toNanos(1) : Chances.around(random, meanNanos));
      if (isHealed || hasEnded[0]) {
        continue;
      }
      switch (random.nextInt(mayBeDoubled() ? 4 : 3)) {
        case 0, 1 -> {
          process.kill();
          world.tell(process.name() + " is killed");
        }
        case 2 -> {
          long nanos = Chances.around(random, STOPPED_MEAN_NANOS);
          process.pause(nanos);
          world.tell(process.name() + " is stopped for " + nanos / 1_000_000 + " ms");
        }
        default -> {
          world.tell(process.name() + " is left to itself, another is started");
          return;
        }
      }
    }
  }
}
