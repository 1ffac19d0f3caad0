// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.format.Descriptor;
import io.lakestream.model.Cell;
import io.lakestream.model.RankBatch;
import io.lakestream.sim.invariant.Violation;
import java.util.Optional;

/** Whether what somebody reads is what the stream has. */
final class Readings {
  private Readings() {}

  /** Checks what {@code reader} was given when step {@code step} was due. */
  static void check(World world, String reader, long step, Cell cell, RankBatch batch) {
    Optional<Descriptor> expected = world.history().at(step);
    if (batch.step() != step || expected.isEmpty()) {
      throw new Violation(
          "I8", "%s reads step %d for step %d".formatted(reader, batch.step(), step));
    }
    if (!expected.get().info(step).equals(batch.info())) {
      throw new Violation(
          "I4",
          "%s sees %s, the stream has %s"
              .formatted(reader, batch.info(), expected.get().info(step)));
    }
    String due = Payloads.text(expected.get().producer(), expected.get().seq(), cell);
    if (!Payloads.text(batch.payload()).equals(due)) {
      throw new Violation("I5", "%s reads other bytes of step %d".formatted(reader, step));
    }
  }
}
