// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.Consumer;
import io.lakestream.Namespace;
import io.lakestream.model.Cell;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.Cursor;
import io.lakestream.model.Pin;
import io.lakestream.model.StepReclaimed;
import io.lakestream.model.Topology;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.sim.invariant.Violation;
import io.lakestream.testkit.simulation.SimulatedProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A user who pins steps at random, reads from them late, and takes pins back. */
final class PinningLife extends UserLife {
  private static final int PINS_MAX = 3;
  private static final int STEPS_READ = 3;

  /** How far behind the first step the one is that just misses a trim, or just does not. */
  private static final int STEPS_NEAR = 8;

  private static final long PAUSE_MEAN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Chances chances;
  private final List<Pin> pins = new ArrayList<>();

  PinningLife(World world, String name, Chances chances) {
    super(world, name, PAUSE_MEAN_NANOS);
    this.chances = chances;
  }

  @Override
  boolean isDone() {
    return world().history().isSealed();
  }

  @Override
  void act(SimulatedProcess process) throws InterruptedException {
    try (Namespace stream = world().open(process, chances.storeMeanNanos())) {
      act(process, stream);
    }
  }

  private void act(SimulatedProcess process, Namespace stream) throws InterruptedException {
    if (pins.isEmpty() || (pins.size() < PINS_MAX && random().nextBoolean())) {
      pin(process, stream);
    } else if (random().nextBoolean()) {
      read(process, stream, pins.get(random().nextInt(pins.size())));
    } else {
      Pin pin = pins.remove(random().nextInt(pins.size()));
      world().unpinned(pin);
      boolean unused = stream.lifecycle().unpin(pin.name());
    }
  }

  private void pin(SimulatedProcess process, Namespace stream) {
    long near = stream.view().summary().firstStep() + random().nextLong(STEPS_NEAR);
    long steps = world().history().size();
    long step = random().nextBoolean() ? random().nextLong(steps + 1) : Math.min(near, steps);
    try {
      Pin pin = stream.lifecycle().pin(step, name());
      world().pinned(pin);
      pins.add(pin);
    } catch (StepReclaimed e) {
      world().tell(process.name() + " comes too late: " + e);
    }
  }

  private void read(SimulatedProcess process, Namespace stream, Pin pin)
      throws InterruptedException {
    Cell cell = world().mesh().cell(random().nextInt(world().mesh().cells()));
    Cursor cursor = new Cursor(stream.uuid(), 0, pin.step(), 0);
    ConsumerSettings settings =
        ConsumerSettings.DEFAULT
            .withPrefetch(STEPS_READ, 1 << 20, 2)
            .until(ConsumerSettings.End.HEAD);
    try (Consumer consumer =
        stream.consumer(new Topology(world().mesh(), cell), cursor, settings)) {
      for (long step = pin.step(); step < pin.step() + STEPS_READ; step++) {
        var batch = consumer.next();
        if (batch.isEmpty()) {
          return;
        }
        Readings.check(world(), process.name(), step, cell, batch.get());
        process.environment().clock().sleep(Chances.around(random(), chances.stepPauseNanos()));
      }
    } catch (CorruptObject e) {
      world().tell(process.name() + " is given damaged bytes again and again: " + e);
    } catch (StepReclaimed e) {
      throw new Violation(
          "promise", "%s pinned step %d: %s".formatted(process.name(), pin.step(), e.getMessage()));
    }
  }
}
