// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.format.Descriptor;
import io.lakestream.model.Cell;
import io.lakestream.model.RankBatch;
import io.lakestream.model.StepInfo;
import io.lakestream.policy.ForkSettings;
import io.lakestream.policy.ForkSettings.Producers;
import io.lakestream.sim.invariant.Violation;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.LongStream;

/** A fork as the one who made it knows it: of the stream, or of another fork. */
final class Fork {
  private final World world;
  private final String place;
  private final UUID uuid;
  private final Optional<Fork> source;
  private final ForkSettings settings;
  private final Map<Long, StepInfo> seen = new TreeMap<>();
  private final Map<String, Long> tried = new TreeMap<>();
  private final Map<String, Long> published = new TreeMap<>();
  private long needed;
  private boolean isLetGo;

  /**
   * A fork that is there.
   *
   * @param source what it was forked from; the stream if empty
   * @param needed its first step
   */
  Fork(
      World world,
      String place,
      UUID uuid,
      Optional<Fork> source,
      ForkSettings settings,
      long needed) {
    this.world = world;
    this.place = place;
    this.uuid = uuid;
    this.source = source;
    this.settings = settings;
    needs(needed);
  }

  String place() {
    return place;
  }

  Optional<Fork> source() {
    return source;
  }

  /** Where the source is. */
  String sourcePlace() {
    return source.map(Fork::place).orElse(World.PLACE);
  }

  /** What the pin of the fork in its source is labelled with. */
  String label() {
    return "fork " + place;
  }

  /** The first step that it needs. */
  long needed() {
    return needed;
  }

  /** It needs a step and those behind it, and none before. */
  void needs(long step) {
    needed = Math.max(needed, step);
    if (needed < streamEnd()) {
      world.promised(label(), needed);
    } else {
      world.released(label());
    }
  }

  /** Nobody needs it any more; its pin may be gone. */
  void letGo() {
    isLetGo = true;
    world.released(label());
  }

  /** Whether nobody needs it any more. */
  boolean isLetGo() {
    return isLetGo;
  }

  /** The first step that is not the stream's. */
  private long streamEnd() {
    return Math.min(settings.at(), source.map(Fork::streamEnd).orElse(Long.MAX_VALUE));
  }

  /** The uuid of a namespace whose cursors may stand at a step. */
  UUID cursorsAt(long step) {
    return step < settings.at()
        ? source.map(fork -> fork.cursorsAt(step)).orElseGet(world::namespace)
        : uuid;
  }

  /** Checks what {@code reader} was given when step {@code step} was due. */
  void check(String reader, long step, Cell cell, RankBatch batch) {
    if (step < streamEnd()) {
      Readings.check(world, reader, step, cell, batch);
    } else if (step < settings.at()) {
      source.orElseThrow().check(reader, step, cell, batch);
    } else {
      checkOwn(reader, step, cell, batch);
    }
  }

  private void checkOwn(String reader, long step, Cell cell, RankBatch batch) {
    StepInfo info = batch.info();
    StepInfo earlier = seen.putIfAbsent(step, info);
    if (batch.step() != step || (earlier != null && !earlier.equals(info))) {
      throw new Violation(
          "I4", "%s sees %s in %s, earlier %s".formatted(reader, info, place, earlier));
    }
    String due = Payloads.text(info.producer(), info.seq(), cell);
    if (!Payloads.text(batch.payload()).equals(due)) {
      throw new Violation("I5", "%s reads other bytes of step %d".formatted(reader, step));
    }
  }

  /** Somebody opened a producer in the fork, and was told where it stands. */
  void opened(String producer, long recovered, Optional<String> offset) {
    long base = countBelowFork(producer);
    long lowest = Math.max(base, published.getOrDefault(producer, 0L));
    boolean isAllKnown = settings.at() == streamEnd();
    long highest = isAllKnown ? Math.max(base, tried.getOrDefault(producer, 0L)) : Long.MAX_VALUE;
    boolean isRight = recovered >= lowest && recovered <= highest;
    boolean isOffsetDue = isResumed() && recovered > 0;
    boolean isOffsetRight = offset.map(Long.toString(recovered)::equals).orElse(!isOffsetDue);
    if (!isRight || !isOffsetRight) {
      throw new Violation(
          "I3",
          "%s recovers %s behind %d batches in %s, which should be %d to %d"
              .formatted(producer, offset, recovered, place, lowest, highest));
    }
  }

  private boolean isResumed() {
    return settings.producers() == Producers.RESUMED && source.map(Fork::isResumed).orElse(true);
  }

  private long countBelowFork(String producer) {
    return LongStream.range(0, streamEnd())
        .filter(step -> producerOf(step).equals(producer))
        .count();
  }

  private String producerOf(long step) {
    return world.history().at(step).map(Descriptor::producer).orElseThrow();
  }

  /** A producer that may know the fork, if it has any: that of a step that it took over. */
  Optional<String> anyProducer(SplittableRandom chance) {
    return streamEnd() == 0
        ? Optional.empty()
        : Optional.of(producerOf(chance.nextLong(streamEnd())));
  }

  @Override
  public String toString() {
    return place + source.map(older -> " of " + older).orElse("");
  }

  /** A batch of a producer is about to be written. */
  void tries(String producer, long seq) {
    long unused = tried.merge(producer, seq + 1, Math::max);
  }

  /** All batches of a producer below {@code nextSeq} were published. */
  void published(String producer, long nextSeq) {
    long unused = published.merge(producer, nextSeq, Math::max);
  }
}
