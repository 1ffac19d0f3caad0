// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.lakestream.model.Cell;
import io.lakestream.model.Cursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a rank told over all its lives.
 *
 * @param cell the rank's slice
 * @param lives its lives in order, at least one
 */
record RankLog(Cell cell, List<Life> lives) {

  /**
   * From a start of the rank to its end or death.
   *
   * @param start the cursor that the rank had saved before; empty for the start of the stream
   * @param steps what it read, in order
   * @param done the event that ended it, or empty if it was killed
   */
  record Life(Optional<Cursor> start, List<RankStep> steps, Optional<JsonNode> done) {
    Life {
      steps = List.copyOf(steps);
    }

    static Life of(Optional<Cursor> start, List<JsonNode> events) {
      List<RankStep> steps =
          events.stream().filter(event -> event.has("step")).map(RankStep::of).toList();
      return new Life(start, steps, Events.done(events));
    }

    /** The step at which it had to begin. */
    long startStep() {
      return start.map(Cursor::step).orElse(0L);
    }
  }

  RankLog {
    lives = List.copyOf(lives);
  }

  /**
   * The steps that count for the model: of every life those before the cursor at which the next
   * life began.
   */
  List<RankStep> steps() {
    List<RankStep> steps = new ArrayList<>();
    for (int i = 0; i < lives.size(); i++) {
      long end = i + 1 < lives.size() ? lives.get(i + 1).startStep() : Long.MAX_VALUE;
      lives.get(i).steps().stream().filter(step -> step.step() < end).forEach(steps::add);
    }
    return steps;
  }

  @Override
  public String toString() {
    return "rank " + cell;
  }
}
