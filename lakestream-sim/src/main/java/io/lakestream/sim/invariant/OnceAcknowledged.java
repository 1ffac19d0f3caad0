// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

import io.lakestream.format.Descriptor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** I2: every acknowledged batch is in exactly one step. */
public final class OnceAcknowledged implements Invariant {
  private final Map<Batch, Long> steps = new HashMap<>();

  private record Batch(String producer, long seq) {}

  @Override
  public void versionCreated(CreatedVersion version) {
    if (version.isDead()) {
      return;
    }
    List<Descriptor> tail = version.tail();
    for (int i = 0; i < tail.size(); i++) {
      long step = version.tailFirst() + i;
      Batch batch = new Batch(tail.get(i).producer(), tail.get(i).seq());
      Long before = steps.putIfAbsent(batch, step);
      if (before != null && before != step) {
        throw new Violation("I2", "%s is in step %d and in step %d".formatted(batch, before, step));
      }
    }
  }

  @Override
  public void acknowledged(String producer, long seq) {
    if (!steps.containsKey(new Batch(producer, seq))) {
      throw new Violation(
          "I2", "batch %d of %s was acknowledged, but is in no step".formatted(seq, producer));
    }
  }
}
