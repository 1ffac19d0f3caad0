// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/** A store in which one put in five goes wrong: lost before, lost after, refused or slow. */
public final class RandomFaults implements ObjectStore {
  private final ObjectStore store;
  private final Random random;

  /** Faults over a store, for one thread. */
  public RandomFaults(ObjectStore store, long seed) {
    this.store = store;
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
    PutOutcome outcome = store.putIfAbsent(key, body);
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

  @Override
  public void put(String key, Body body) throws IOException {
    store.put(key, body);
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    return store.read(key);
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    return store.read(key, offset, length);
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    return store.readSuffix(key, length);
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    return store.size(key);
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    return store.list(prefix, continuation);
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    return store.delete(keys);
  }

  @Override
  public void close() {}
}
