// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

import io.lakestream.format.Descriptor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** I3: per producer, batches are contiguous and epochs never fall along the steps. */
public final class ProducerOrder implements Invariant {
  private final Map<String, Descriptor> last = new HashMap<>();
  private long nextStep;

  @Override
  public void versionCreated(CreatedVersion version) {
    if (version.isDead()) {
      return;
    }
    long first = version.tailFirst();
    List<Descriptor> tail = version.tail();
    for (int i = (int) Math.max(0, nextStep - first); i < tail.size(); i++) {
      next(first + i, tail.get(i));
    }
    nextStep = version.nextStep();
  }

  private void next(long step, Descriptor descriptor) {
    Descriptor before = last.put(descriptor.producer(), descriptor);
    long expected = before == null ? 0 : before.seq() + 1;
    if (descriptor.seq() != expected) {
      throw new Violation(
          "I3",
          "step %d has batch %d of %s, due is %d"
              .formatted(step, descriptor.seq(), descriptor.producer(), expected));
    }
    if (before != null && descriptor.epoch() < before.epoch()) {
      throw new Violation(
          "I3",
          "step %d is of epoch %d of %s, after epoch %d"
              .formatted(step, descriptor.epoch(), descriptor.producer(), before.epoch()));
    }
  }
}
