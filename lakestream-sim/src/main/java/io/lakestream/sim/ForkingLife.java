// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.Consumer;
import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.model.Cell;
import io.lakestream.model.CheckReport;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.Cursor;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Pin;
import io.lakestream.model.RankBatch;
import io.lakestream.model.StepReclaimed;
import io.lakestream.model.Topology;
import io.lakestream.model.UnsupportedStore;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.policy.ForkSettings;
import io.lakestream.policy.ReclaimSettings;
import io.lakestream.sim.invariant.Violation;
import io.lakestream.testkit.simulation.SimulatedProcess;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A user who forks the stream at random steps, reads what the fork took over while the stream is
 * reclaimed beside it, writes and reclaims in the fork, and at last lets the fork go.
 */
final class ForkingLife extends UserLife {
  private static final long PAUSE_MEAN_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int STEPS_READ = 3;
  private static final String WRITER = "forked";

  private final Chances chances;
  private Optional<Fork> fork = Optional.empty();
  private int forks;

  /**
   * A fork that was made.
   *
   * @param place where
   * @param at the first step that it did not take over
   * @param needed the first step that it needs
   */
  private record Fork(String place, long at, long needed) {
    String promise() {
      return "fork " + place;
    }
  }

  ForkingLife(World world, String name, Chances chances) {
    super(world, name, PAUSE_MEAN_NANOS);
    this.chances = chances;
  }

  @Override
  boolean isDone() {
    return world().history().isSealed() && fork.isEmpty();
  }

  @Override
  void act(SimulatedProcess process) throws InterruptedException {
    if (fork.isEmpty()) {
      fork(process);
      return;
    }
    Fork made = fork.get();
    try (Namespace stream = world().open(process, made.place(), chances.storeMeanNanos())) {
      switch (random().nextInt(world().history().isSealed() ? 5 : 4)) {
        case 0 -> write(stream);
        case 1 -> reclaim(stream, made);
        case 2, 3 -> read(process, stream, made);
        default -> letGo(process, stream, made);
      }
    }
  }

  private void fork(SimulatedProcess process) {
    String place = "memory:///fork-" + ++forks;
    try (Namespace stream = world().open(process, chances.storeMeanNanos())) {
      long steps = world().history().size();
      long firstStep = stream.view().summary().firstStep();
      if (firstStep > steps || steps == 0) {
        return;
      }
      long at = random().nextLong(firstStep, steps + 1);
      ForkSettings settings = ForkSettings.at(at).with(ForkSettings.Producers.NEW);
      try (Namespace made =
          Lakestream.fork(
              stream,
              world().storeFor(process, place, chances.storeMeanNanos()),
              place,
              settings)) {
        long needed = made.view().summary().firstStep();
        fork = Optional.of(new Fork(place, at, needed));
        if (needed < at) {
          world().promised(fork.get().promise(), needed);
        }
        world().tell("%s forks at %d from %d".formatted(process.name(), at, needed));
      }
    } catch (StepReclaimed | InvalidRequest | UnsupportedStore e) {
      // A put that is sent twice and comes late makes a store look as if it did not delete.
      world().tell(process.name() + " cannot fork: " + e);
    }
  }

  private void write(Namespace stream) throws InterruptedException {
    try (Producer producer = stream.producer(WRITER)) {
      long seq = producer.recoveredTgbs();
      for (long i = seq; i < seq + 3; i++) {
        producer.write(Payloads.batch(world().mesh(), WRITER, i), Long.toString(i + 1));
      }
    }
  }

  /** Pins a step of the fork and gives up what is below. */
  private void reclaim(Namespace stream, Fork made) throws InterruptedException {
    var summary = stream.view().summary();
    long step = random().nextLong(summary.firstStep(), summary.nextStep() + 1);
    Pin pin = stream.lifecycle().pin(step, name());
    for (Pin older : stream.lifecycle().pinned()) {
      if (older.step() < step) {
        boolean unused = stream.lifecycle().unpin(older.name());
      }
    }
    if (step < made.at()) {
      world().promised(made.promise(), Math.max(made.needed(), step));
    } else {
      world().released(made.promise());
    }
    fork = Optional.of(new Fork(made.place(), made.at(), Math.max(made.needed(), pin.step())));
    ReclaimSettings settings = ReclaimSettings.DEFAULT.keeping(chances.versionsKept());
    world().tell(name() + " reclaims its fork: " + stream.lifecycle().reclaim(settings));
  }

  private void read(SimulatedProcess process, Namespace stream, Fork made)
      throws InterruptedException {
    if (made.needed() >= made.at()) {
      return;
    }
    long first = random().nextLong(made.needed(), made.at());
    Cell cell = world().mesh().cell(random().nextInt(world().mesh().cells()));
    ConsumerSettings settings =
        ConsumerSettings.DEFAULT
            .withPrefetch(STEPS_READ, 1 << 20, 2)
            .until(ConsumerSettings.End.HEAD);
    Cursor cursor = new Cursor(world().namespace(), 0, first, 0);
    try (Consumer consumer =
        stream.consumer(new Topology(world().mesh(), cell), cursor, settings)) {
      for (long step = first; step < Math.min(first + STEPS_READ, made.at()); step++) {
        Optional<RankBatch> batch = consumer.next();
        if (batch.isEmpty()) {
          throw new Violation("I8", "%s ends before step %d".formatted(made.place(), step));
        }
        Readings.check(world(), process.name(), step, cell, batch.get());
      }
    } catch (CorruptObject e) {
      world().tell(process.name() + " is given damaged bytes again and again: " + e);
    } catch (StepReclaimed e) {
      throw new Violation(
          "promise", "%s needs step %d: %s".formatted(made.place(), first, e.getMessage()));
    }
  }

  /** The fork is whole to the last; then somebody removes it and what holds the source for it. */
  private void letGo(SimulatedProcess process, Namespace stream, Fork made)
      throws InterruptedException {
    CheckReport report = stream.check(CheckReport.Depth.EVERY_BYTE, CheckReport.Listener.none());
    if (!report.isOk()) {
      throw new Violation("I5", "%s is damaged: %s".formatted(made.place(), report.problems()));
    }
    world().released(made.promise());
    try (Namespace source = world().open(process, chances.storeMeanNanos())) {
      for (Pin pin : source.lifecycle().pinned()) {
        if (pin.label().equals(made.promise())) {
          boolean unused = source.lifecycle().unpin(pin.name());
        }
      }
    }
    fork = Optional.empty();
  }
}
