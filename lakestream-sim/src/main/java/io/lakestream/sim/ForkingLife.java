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
import io.lakestream.sim.invariant.Violation;
import io.lakestream.store.ObjectStore;
import io.lakestream.testkit.simulation.SimulatedProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A user who forks the stream at random steps, and that fork again; reads what they took over while
 * both are reclaimed beside him, writes and reclaims in them, and at last lets them go.
 */
final class ForkingLife extends UserLife {
  private static final long PAUSE_MEAN_NANOS = TimeUnit.MILLISECONDS.toNanos(600);
  private static final int STEPS_READ = 3;
  private static final int BATCHES_WRITTEN = 3;
  private static final String WRITER = "forked";

  /** A fork, and one of that. */
  private static final int FORKS_MAX = 2;

  private final Chances chances;

  /** Each is the source of the next. */
  private final List<Fork> forks = new ArrayList<>();

  private int made;

  ForkingLife(World world, String name, Chances chances) {
    super(world, name, PAUSE_MEAN_NANOS);
    this.chances = chances;
  }

  @Override
  boolean isDone() {
    return world().history().isSealed() && forks.isEmpty();
  }

  /** One of the forks that there are. */
  Optional<Fork> any(SplittableRandom chance) {
    return forks.isEmpty()
        ? Optional.empty()
        : Optional.of(forks.get(chance.nextInt(forks.size())));
  }

  @Override
  void act(SimulatedProcess process) throws InterruptedException {
    Optional<Fork> chosen = any(random());
    if (chosen.isEmpty()) {
      fork(process, Optional.empty());
      return;
    }
    if (forks.get(forks.size() - 1).isLetGo()) {
      letLastGo(process);
      return;
    }
    Fork fork = chosen.get();
    int what = random().nextInt(8);
    if (what < 2 && !world().history().isSealed()) {
      if (forks.size() < FORKS_MAX) {
        fork(process, Optional.of(fork));
      }
      return;
    }
    try (Namespace stream = world().open(process, fork.place(), chances.storeMeanNanos())) {
      switch (what) {
        case 2 -> write(stream, fork);
        case 3, 4 -> reclaim(stream, fork);
        case 5, 6 -> read(process, stream, fork);
        default -> letLastGo(process);
      }
    }
  }

  private void fork(SimulatedProcess process, Optional<Fork> source) {
    String from = source.map(Fork::place).orElse(World.PLACE);
    try (Namespace stream = world().open(process, from, chances.storeMeanNanos())) {
      var summary = stream.view().summary();
      if (summary.nextStep() > 0) {
        fork(process, stream, source, settings(summary.firstStep(), summary.nextStep()));
      }
    }
  }

  private void fork(
      SimulatedProcess process, Namespace stream, Optional<Fork> source, ForkSettings settings) {
    String place = "memory:///fork-%s-%d".formatted(name(), ++made);
    ObjectStore store = world().storeFor(process, place, chances.storeMeanNanos());
    try (Namespace fork = Lakestream.fork(stream, store, place, settings)) {
      long first = fork.view().summary().firstStep();
      var unused = fork.lifecycle().pin(first, name());
      forks.add(new Fork(world(), place, fork.uuid(), source, settings, first));
      world().tell("%s forks %s from %d: %s".formatted(process.name(), place, first, source));
    } catch (StepReclaimed | UnsupportedStore e) {
      // A put that is sent twice and comes late makes a store look as if it did not delete.
      world().tell(process.name() + " comes too late, or cannot use its store: " + e);
    } catch (InvalidRequest e) {
      if (settings.producers() == ForkSettings.Producers.NEW) {
        throw e;
      }
      world().tell(process.name() + " cannot tell where producers stood: " + e);
    }
  }

  private ForkSettings settings(long firstStep, long nextStep) {
    long at = random().nextLong(firstStep, nextStep + 1);
    ForkSettings settings = ForkSettings.at(at);
    if (random().nextBoolean()) {
      settings = settings.from(random().nextLong(firstStep, at + 1));
    }
    return random().nextBoolean() ? settings.with(ForkSettings.Producers.NEW) : settings;
  }

  /** A producer of the stream goes on in the fork, or one that the stream never had. */
  private void write(Namespace stream, Fork fork) throws InterruptedException {
    String id = fork.anyProducer(random()).filter(unused -> random().nextBoolean()).orElse(WRITER);
    long end;
    try (Producer producer = stream.producer(id)) {
      long first = producer.recoveredTgbs();
      fork.opened(id, first, producer.recoveredOffset());
      end = first + BATCHES_WRITTEN;
      for (long seq = first; seq < end; seq++) {
        fork.tries(id, seq);
        producer.write(Payloads.batch(world().mesh(), id, seq), Long.toString(seq + 1));
      }
    }
    fork.published(id, end);
  }

  /** Pins a step of the fork, mostly one that is near, and gives up what is below. */
  private void reclaim(Namespace stream, Fork fork) throws InterruptedException {
    long room = stream.view().summary().nextStep() - fork.needed();
    long most = random().nextInt(3) == 0 ? room : Math.min(room, 2);
    Pin pin = stream.lifecycle().pin(fork.needed() + random().nextLong(most + 1), name());
    fork.needs(pin.step());
    for (Pin older : stream.lifecycle().pinned()) {
      if (older.step() < pin.step() && older.label().equals(name())) {
        boolean unused = stream.lifecycle().unpin(older.name());
      }
    }
    var reclaimed = stream.lifecycle().reclaim(chances.reclaimSettings());
    world().tell("%s reclaims %s: %s".formatted(name(), fork.place(), reclaimed));
  }

  private void read(SimulatedProcess process, Namespace stream, Fork fork)
      throws InterruptedException {
    long end = stream.view().summary().nextStep();
    if (fork.needed() >= end) {
      return;
    }
    long first = random().nextLong(fork.needed(), end);
    Cell cell = world().mesh().cell(random().nextInt(world().mesh().cells()));
    ConsumerSettings settings =
        ConsumerSettings.DEFAULT
            .withPrefetch(STEPS_READ, 1 << 20, 2)
            .until(ConsumerSettings.End.HEAD);
    UUID uuid = random().nextBoolean() ? stream.uuid() : fork.cursorsAt(first);
    try (Consumer consumer =
        stream.consumer(
            new Topology(world().mesh(), cell), new Cursor(uuid, 0, first, 0), settings)) {
      for (long step = first; step < Math.min(first + STEPS_READ, end); step++) {
        Optional<RankBatch> batch = consumer.next();
        if (batch.isEmpty()) {
          throw new Violation("I8", "%s ends before step %d".formatted(fork.place(), step));
        }
        fork.check(process.name(), step, cell, batch.get());
      }
    } catch (CorruptObject e) {
      world().tell(process.name() + " is given damaged bytes again and again: " + e);
    } catch (StepReclaimed e) {
      throw new Violation(
          "promise", "%s needs step %d: %s".formatted(fork.place(), first, e.getMessage()));
    }
  }

  /** Somebody removes the fork that nothing else needs, and what holds its source for it. */
  private void letLastGo(SimulatedProcess process) throws InterruptedException {
    Fork last = forks.get(forks.size() - 1);
    if (world().history().isSealed() && !last.isLetGo()) {
      requireWhole(process, last);
    }
    last.letGo();
    try (Namespace source = world().open(process, last.sourcePlace(), chances.storeMeanNanos())) {
      for (Pin pin : source.lifecycle().pinned()) {
        if (pin.label().equals(last.label())) {
          boolean unused = source.lifecycle().unpin(pin.name());
        }
      }
    }
    forks.remove(last);
  }

  /** Nothing damages what is read any more. */
  private void requireWhole(SimulatedProcess process, Fork fork) throws InterruptedException {
    try (Namespace stream = world().open(process, fork.place(), chances.storeMeanNanos())) {
      CheckReport report = stream.check(CheckReport.Depth.EVERY_BYTE, CheckReport.Listener.none());
      if (!report.isOk()) {
        throw new Violation("I5", "%s is damaged: %s".formatted(fork.place(), report.problems()));
      }
    }
  }
}
