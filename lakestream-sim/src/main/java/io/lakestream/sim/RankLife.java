// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.Consumer;
import io.lakestream.Lifecycle;
import io.lakestream.Namespace;
import io.lakestream.model.Cell;
import io.lakestream.model.CommitContended;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.Cursor;
import io.lakestream.model.Generation;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.LakestreamException;
import io.lakestream.model.Mesh;
import io.lakestream.model.Pin;
import io.lakestream.model.RankBatch;
import io.lakestream.model.RankFenced;
import io.lakestream.model.StepReclaimed;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.model.Topology;
import io.lakestream.model.Watermark;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.policy.Remap;
import io.lakestream.sim.invariant.Violation;
import io.lakestream.testkit.simulation.SimulatedProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A rank of one start of a job that reads the stream to its end over all its lives, and I8: it sees
 * every step once, in order, counted from the checkpoint that it goes on from, but for those that
 * its start skips. It saves checkpoints and pins them, reports, and gives up the oldest.
 */
final class RankLife extends Life {
  private final Chances chances;
  private final Job job;
  private final Generation generation;
  private final Mesh shape;
  private final int rank;
  private final ConsumerSettings settings;
  private final List<Checkpoint> checkpoints;

  /** Where it goes on without any pinned checkpoint: what it reported holds that. */
  private long resumesAt;

  /** How often the job had been started when the rank last reported, if its own counted then. */
  private OptionalInt startsWhenReporting = OptionalInt.empty();

  private boolean hasReadAll;
  private boolean isAbandoned;
  private Optional<SimulatedProcess> newest = Optional.empty();

  /**
   * @param checkpoints those from before the start that the rank can still go on from
   */
  RankLife(
      World world,
      Chances chances,
      Job job,
      Generation generation,
      Mesh shape,
      int rank,
      ConsumerSettings settings,
      List<Checkpoint> checkpoints) {
    super(world, "r%d-%d".formatted(rank, generation.number()));
    this.chances = chances;
    this.job = job;
    this.generation = generation;
    this.shape = shape;
    this.rank = rank;
    this.settings = settings.startedAs(generation).remapping(Remap.KEEP_RANK_BATCH);
    this.checkpoints = new ArrayList<>(checkpoints);
    this.resumesAt = generation.startStep();
  }

  @Override
  boolean isDone() {
    return hasReadAll || isAbandoned;
  }

  boolean hasReadAll() {
    return hasReadAll;
  }

  @Override
  boolean mayBeDoubled() {
    return false; // Two processes of one rank in one start is a mistake that nothing guards
    // against.
  }

  /** The mesh of its job. */
  Mesh shape() {
    return shape;
  }

  /** The checkpoints it has kept. */
  List<Checkpoint> checkpoints() {
    return List.copyOf(checkpoints);
  }

  /** Takes away the checkpoints that the next start goes on from. */
  List<Checkpoint> handOver() {
    List<Checkpoint> all = List.copyOf(checkpoints);
    checkpoints.clear();
    return all;
  }

  /** It is not started again; its present process is killed, or left over for a while. */
  void abandon() {
    isAbandoned = true;
    if (random().nextInt(3) > 0) {
      newest.ifPresent(SimulatedProcess::kill);
    }
  }

  @Override
  long meanNanos(Chances drawn) {
    return 2 * drawn.lifeMeanNanos();
  }

  @Override
  void live(SimulatedProcess process) throws InterruptedException {
    newest = Optional.of(process);
    try (Namespace stream = world().open(process, chances.storeMeanNanos())) {
      Topology topology = new Topology(shape, shape.cell(rank));
      Cursor start = start(stream);
      world().tell(process.name() + " goes on at " + start);
      try (Consumer consumer = stream.consumer(topology, start, settings)) {
        read(process, stream.lifecycle(), consumer, Place.of(world().mesh(), shape, start));
      }
    } catch (RankFenced e) {
      // A start that is refused in the end may fence ranks while it is under way.
      boolean isAlone = startsWhenReporting.equals(OptionalInt.of(job.starts()));
      requireOvertaken(process, isAlone, e);
    } catch (StepReclaimed e) {
      requireOvertaken(process, true, e);
    } catch (InvalidRequest e) {
      requireOver(process, e);
    } catch (StoreUnavailable | CommitUnknown | CommitContended | CorruptObject e) {
      world().tell(process.name() + " gives up: " + e);
    }
  }

  private void requireOvertaken(SimulatedProcess process, boolean isAlone, LakestreamException e) {
    if (isAlone && job.isCounting(generation)) {
      throw new Violation("promise", "%s counts: %s".formatted(process.name(), e.getMessage()));
    }
    world().tell(process.name() + " is left over: " + e);
    isAbandoned = true;
  }

  /** Only a start that was made while its job was removed meets that there is no job. */
  private void requireOver(SimulatedProcess process, InvalidRequest e) {
    if (!job.isOver()) {
      throw e;
    }
    world().tell(process.name() + " is not needed: " + e);
    isAbandoned = true;
  }

  private Cursor start(Namespace stream) {
    if (checkpoints.size() > 1 && random().nextInt(4) == 0) {
      rollBack(stream.lifecycle(), checkpoints.get(random().nextInt(checkpoints.size())).step());
    } else if (!checkpoints.isEmpty() && random().nextInt(4) == 0) {
      Optional<Cursor> unpinned = rollBackUnpinned(stream);
      if (unpinned.isPresent()) {
        return unpinned.get();
      }
    }
    if (checkpoints.isEmpty()) {
      return new Cursor(stream.uuid(), 0, resumesAt, 0);
    }
    return Cursor.parse(checkpoints.get(checkpoints.size() - 1).cursor());
  }

  /** To a step that nothing but luck has kept: it is refused, or it holds. */
  private Optional<Cursor> rollBackUnpinned(Namespace stream) {
    long newest = checkpoints.get(checkpoints.size() - 1).step();
    long first = stream.view().summary().firstStep();
    long step = first + random().nextLong(Math.max(1, newest - first));
    try {
      rollBack(stream.lifecycle(), step);
      return Optional.of(new Cursor(stream.uuid(), 0, step, 0));
    } catch (StepReclaimed e) {
      world().tell(name() + " rolls back too late: " + e);
      return Optional.empty();
    }
  }

  /** Goes back to an older checkpoint, and gives up those after it once that is recorded. */
  private void rollBack(Lifecycle lifecycle, long step) {
    report(lifecycle, step);
    resumesAt = step;
    while (!checkpoints.isEmpty() && checkpoints.get(checkpoints.size() - 1).step() > step) {
      drop(lifecycle, checkpoints.size() - 1);
    }
  }

  private void read(SimulatedProcess process, Lifecycle lifecycle, Consumer consumer, Place first)
      throws InterruptedException {
    Cell cell = shape.cell(rank);
    Place place = first;
    Optional<RankBatch> batch = consumer.next();
    while (batch.isPresent()) {
      Place read = unskipped(place);
      Readings.check(world(), process.name(), read.tgb(cell), read.slice(cell), batch.get());
      place = read.next();
      if (!place.isAt(consumer.cursor())) {
        throw new Violation(
            "I8", "%s is behind %s, its cursor is %s".formatted(name(), read, consumer.cursor()));
      }
      process.environment().clock().sleep(Chances.around(random(), chances.stepPauseNanos()));
      if (random().nextInt(chances.savedOneIn()) == 0) {
        save(lifecycle, consumer.cursor());
      }
      batch = consumer.next();
    }
    Place end = unskipped(place);
    if (!world().history().isSealed() || end.isWithin(world().history().size())) {
      throw new Violation(
          "I8",
          "%s is told that the stream ends at step %d of %d"
              .formatted(process.name(), end.step(), world().history().size()));
    }
    if (random().nextBoolean()) {
      long step = world().history().size();
      report(lifecycle, step);
      resumesAt = step;
      while (!checkpoints.isEmpty()) {
        drop(lifecycle, checkpoints.size() - 1);
      }
    }
    hasReadAll = true;
  }

  private Place unskipped(Place place) {
    return place.at(world().skips().past(generation.version(), place.step()));
  }

  private void save(Lifecycle lifecycle, Cursor cursor) {
    Pin pin = lifecycle.pin(cursor.step(), name());
    world().pinned(pin);
    checkpoints.add(new Checkpoint(cursor.toJson(), pin));
    report(lifecycle, cursor.step());
    resumesAt = cursor.step();
    while (checkpoints.size() > chances.pinsKept()) {
      drop(lifecycle, 0);
    }
  }

  private void report(Lifecycle lifecycle, long step) {
    startsWhenReporting =
        job.isCounting(generation) ? OptionalInt.of(job.starts()) : OptionalInt.empty();
    job.reporting(generation, rank, step);
    var unused = lifecycle.report(generation, rank, new Watermark(step, step));
    job.reported(generation, rank, step);
  }

  private void drop(Lifecycle lifecycle, int index) {
    Pin pin = checkpoints.remove(index).pin();
    world().unpinned(pin);
    boolean unused = lifecycle.unpin(pin.name());
  }
}
