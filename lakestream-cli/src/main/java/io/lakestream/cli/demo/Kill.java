// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.lakestream.cli.process.Events;
import io.lakestream.model.Cursor;
import java.util.List;
import java.util.Optional;

/**
 * A SIGKILL.
 *
 * @param child who got it
 * @param life which of its lives it ended, from 0
 * @param seconds when, in seconds since the start of the processes
 * @param reached how many of its batches or steps the child had told to be done
 */
record Kill(Child child, int life, double seconds, long reached) {

  /** Where the next life went on: a producer's batch, a rank's step; empty if it did nothing. */
  Optional<Long> resumedAt() {
    Child.Life next = child.lives().get(life + 1);
    if (child.kind() == Child.Kind.RANK) {
      return Optional.of(next.start().map(Cursor::step).orElse(0L));
    }
    List<JsonNode> events = Events.read(next.events());
    return events.stream()
        .filter(event -> event.has("seq"))
        .findFirst()
        .map(event -> event.get("seq").longValue());
  }
}
