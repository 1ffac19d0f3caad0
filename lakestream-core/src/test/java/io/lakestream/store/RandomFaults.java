// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.io.IOException;
import java.util.Random;

/** A store in which one put in five goes wrong: lost before, lost after, refused or slow. */
public final class RandomFaults extends ForwardingStore {
  private final Random random;

  /** Faults over a store, for one thread. */
  public RandomFaults(ObjectStore store, long seed) {
    super(store);
    this.random = new Random(seed);
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    int chance = random.nextInt(20);
    if (chance == 0) {
      return PutOutcome.UNKNOWN;
    }
    if (chance == 1) {
      throw new IOException("putIfAbsent " + key + ": injected");
    }
    if (chance == 2) {
      pause();
    }
    PutOutcome outcome = super.putIfAbsent(key, body);
    return chance == 3 ? PutOutcome.UNKNOWN : outcome;
  }

  /** Long enough for others to commit and for the reclaimer to delete. */
  private void pause() {
    try {
      Thread.sleep(random.nextInt(20));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Leaves the store open, which others have faults over as well. */
  @Override
  public void close() {}
}
