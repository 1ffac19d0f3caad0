// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.Consumer;
import io.lakestream.Namespace;
import io.lakestream.format.Descriptor;
import io.lakestream.model.Cell;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.Cursor;
import io.lakestream.model.RankBatch;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.model.Topology;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.sim.invariant.Violation;
import io.lakestream.testkit.simulation.SimulatedProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A rank that reads the stream to its end over all its lives, and I8: it sees every step once, in
 * order, counted from the checkpoint that it goes on from.
 */
final class RankLife extends Life {
  /** Checkpoints to choose from for a roll-back. */
  private static final int CHECKPOINTS_KEPT = 4;

  private final Chances chances;
  private final Cell cell;
  private final ConsumerSettings settings;
  private final List<String> checkpoints = new ArrayList<>();
  private boolean isDone;

  RankLife(World world, String name, Chances chances, Cell cell, ConsumerSettings settings) {
    super(world, name);
    this.chances = chances;
    this.cell = cell;
    this.settings = settings;
  }

  @Override
  boolean isDone() {
    return isDone;
  }

  @Override
  void live(SimulatedProcess process) throws InterruptedException {
    try (Namespace stream = world().open(process, chances.storeMeanNanos())) {
      Topology topology = new Topology(world().mesh(), cell);
      Cursor start = start(stream);
      world().tell(process.name() + " goes on at " + start);
      try (Consumer consumer = stream.consumer(topology, start, settings)) {
        read(process, consumer, start.step());
      }
    } catch (StoreUnavailable | CorruptObject e) {
      world().tell(process.name() + " gives up: " + e);
    }
  }

  private Cursor start(Namespace stream) {
    if (checkpoints.isEmpty()) {
      return Cursor.start(stream.uuid());
    }
    int back = random().nextInt(4) == 0 ? random().nextInt(checkpoints.size()) : 0;
    return Cursor.parse(checkpoints.get(checkpoints.size() - 1 - back));
  }

  private void read(SimulatedProcess process, Consumer consumer, long first)
      throws InterruptedException {
    long step = first;
    Optional<RankBatch> batch = consumer.next();
    while (batch.isPresent()) {
      check(process, step, batch.get());
      step++;
      process.environment().clock().sleep(Chances.around(random(), chances.stepPauseNanos()));
      if (random().nextInt(5) == 0) {
        save(consumer.cursor());
      }
      batch = consumer.next();
    }
    if (!world().history().isSealed() || step != world().history().size()) {
      throw new Violation(
          "I8",
          "%s is told that the stream ends at step %d of %d"
              .formatted(process.name(), step, world().history().size()));
    }
    isDone = true;
  }

  private void check(SimulatedProcess process, long step, RankBatch batch) {
    Optional<Descriptor> expected = world().history().at(step);
    if (batch.step() != step || expected.isEmpty()) {
      throw new Violation(
          "I8", "%s reads step %d for step %d".formatted(process.name(), batch.step(), step));
    }
    if (!expected.get().info(step).equals(batch.info())) {
      throw new Violation(
          "I4",
          "%s sees %s, the stream has %s"
              .formatted(process.name(), batch.info(), expected.get().info(step)));
    }
    String due = Payloads.text(expected.get().producer(), expected.get().seq(), cell);
    if (!Payloads.text(batch.payload()).equals(due)) {
      throw new Violation("I5", "%s reads other bytes of step %d".formatted(process.name(), step));
    }
  }

  private void save(Cursor cursor) {
    checkpoints.add(cursor.toJson());
    if (checkpoints.size() > CHECKPOINTS_KEPT) {
      String unused = checkpoints.remove(0);
    }
  }
}
