// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.lifecycle;

import io.lakestream.store.Body;
import io.lakestream.store.DeleteFailure;
import io.lakestream.store.ListPage;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A store in which reading data takes so long that everything is done that is done beside it, and
 * which then makes all other calls wait: what was counted when the first batch is there is the most
 * that can be.
 */
final class LatchedStore implements ObjectStore {
  private static final String DATA = "data/";

  /** Many times what the look-ups beside a read take on a disk. */
  private static final long DATA_MILLIS = 200;

  /** A batch that needs more calls than it should is late then, and not for ever. */
  private static final long HELD_SECONDS_MAX = 10;

  private final ObjectStore store;
  private final AtomicBoolean isDataRead = new AtomicBoolean();
  private final CountDownLatch released = new CountDownLatch(1);

  LatchedStore(ObjectStore store) {
    this.store = store;
  }

  /** Lets all calls go on. */
  void release() {
    released.countDown();
  }

  private void await() throws IOException {
    try {
      if (isDataRead.get()) {
        boolean unused = released.await(HELD_SECONDS_MAX, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static IOException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException failure = new InterruptedIOException("a read was interrupted");
    failure.initCause(cause);
    return failure;
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    await();
    return store.read(key);
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    await();
    Optional<ByteBuffer> bytes = store.read(key, offset, length);
    if (key.startsWith(DATA)) {
      try {
        TimeUnit.MILLISECONDS.sleep(DATA_MILLIS);
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
      isDataRead.set(true);
    }
    return bytes;
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    await();
    return store.readSuffix(key, length);
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    await();
    return store.size(key);
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    await();
    return store.list(prefix, continuation);
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    return store.putIfAbsent(key, body);
  }

  @Override
  public void put(String key, Body body) throws IOException {
    store.put(key, body);
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    return store.delete(keys);
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
