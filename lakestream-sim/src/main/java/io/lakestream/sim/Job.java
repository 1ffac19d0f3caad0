// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.model.Generation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a training job was promised, by what its launchers and ranks were told. While a call is
 * under way or undecided the old and the new may count, so the higher of both is what is promised.
 */
final class Job {
  private final World world;
  private final String name;
  private long[] held = new long[0];
  private final List<Start> undecided = new ArrayList<>();
  private Optional<Generation> newest = Optional.empty();
  private int starts;
  private boolean isOver;

  Job(World world, String name) {
    this.world = world;
    this.name = name;
  }

  /** A start that may count or not. */
  static final class Start {
    private final long step;
    private final List<Start> earlier;
    private boolean hasFailed;

    private Start(long step, List<Start> earlier) {
      this.step = step;
      this.earlier = earlier;
    }
  }

  String name() {
    return name;
  }

  /** The job is about to be started. */
  Start starting(long step) {
    List<Start> earlier = undecided.stream().filter(start -> start.hasFailed).toList();
    Start start = new Start(step, earlier);
    starts++;
    undecided.add(start);
    promise();
    return start;
  }

  /** A start was granted: those that failed before it began count no more. */
  void started(Start start, Generation generation) {
    undecided.remove(start);
    undecided.removeAll(start.earlier);
    if (newest.isEmpty() || newest.get().number() < generation.number()) {
      newest = Optional.of(generation);
      for (int rank = generation.worldSize(); rank < held.length; rank++) {
        world.released(promiseOf(rank));
      }
      held = new long[generation.worldSize()];
      Arrays.fill(held, generation.startStep());
    }
    promise();
  }

  /** A start was refused: the one before goes on to count. */
  void refused(Start start) {
    undecided.remove(start);
    promise();
  }

  /** A start failed, and may count or not. */
  void failed(Start start) {
    start.hasFailed = true;
  }

  /** A rank is about to report. */
  void reporting(Generation generation, int rank, long step) {
    if (isNewest(generation)) {
      held[rank] = Math.max(held[rank], step);
      promise();
    }
  }

  /** A rank has reported. */
  void reported(Generation generation, int rank, long step) {
    if (isNewest(generation)) {
      held[rank] = step;
      promise();
    }
  }

  /** The job is about to be removed: nobody relies on what its ranks reported. */
  void end() {
    isOver = true;
    for (int rank = 0; rank < held.length; rank++) {
      world.released(promiseOf(rank));
    }
  }

  /** Whether it was removed, or is about to be. */
  boolean isOver() {
    return isOver;
  }

  private boolean isNewest(Generation generation) {
    return newest.isPresent() && newest.get().equals(generation);
  }

  /** How often the job was started or tried to be. */
  int starts() {
    return starts;
  }

  /** Whether a start is the newest, and none was tried since there were so many. */
  boolean isLast(Generation generation, int startsThen) {
    return isNewest(generation) && starts == startsThen;
  }

  /** Whether a start counts for sure. */
  boolean isCounting(Generation generation) {
    return !isOver && isNewest(generation) && undecided.isEmpty();
  }

  /** The lowest step that is promised to a rank, if the job was ever started. */
  Optional<Long> lowest() {
    return newest.map(generation -> Arrays.stream(held).min().orElseThrow());
  }

  private void promise() {
    if (newest.isEmpty() || isOver) {
      return;
    }
    long start = undecided.stream().mapToLong(one -> one.step).max().orElse(0);
    for (int rank = 0; rank < held.length; rank++) {
      world.promised(promiseOf(rank), Math.max(held[rank], start));
    }
  }

  private String promiseOf(int rank) {
    return "rank " + rank + " of " + name;
  }
}
