// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.process;

import com.fasterxml.jackson.databind.JsonNode;
import io.lakestream.model.Cursor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a rank told over all its lives.
 *
 * @param name what the rank is called
 * @param lives its lives in order, at least one
 */
public record RankLog(String name, List<Life> lives) {

  /**
   * From a start of the rank to its end or death.
   *
   * @param start the cursor that the rank had saved before; empty for the start of the stream
   * @param steps what it read, in order
   * @param done the event that ended it, or empty if it was killed
   */
  public record Life(Optional<Cursor> start, List<RankStep> steps, Optional<JsonNode> done) {
    public Life {
      steps = List.copyOf(steps);
    }

    /** What a life told in a file. */
    public static Life read(Optional<Cursor> start, Path events) {
      List<RankStep> steps = new ArrayList<>();
      List<JsonNode> done = new ArrayList<>();
      Events.forEach(
          events,
          event -> {
            // Only what comes last has ended it.
            done.clear();
            if (event.has("step")) {
              steps.add(RankStep.of(event));
            } else if (event.has("done")) {
              done.add(event);
            }
          });
      return new Life(start, steps, done.stream().findFirst());
    }

    /** The step at which it had to begin. */
    public long startStep() {
      return start.map(Cursor::step).orElse(0L);
    }
  }

  public RankLog {
    lives = List.copyOf(lives);
  }

  /**
   * The steps that count for the model: of every life those before the cursor at which the next
   * life began.
   */
  public List<RankStep> steps() {
    List<RankStep> steps = new ArrayList<>();
    for (int i = 0; i < lives.size(); i++) {
      long end = i + 1 < lives.size() ? lives.get(i + 1).startStep() : Long.MAX_VALUE;
      lives.get(i).steps().stream().filter(step -> step.step() < end).forEach(steps::add);
    }
    return steps;
  }

  @Override
  public String toString() {
    return name;
  }
}
