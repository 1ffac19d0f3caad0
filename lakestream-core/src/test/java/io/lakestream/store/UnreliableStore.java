// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/**
 * A memory store in which single puts go wrong as told. Rules are used once, in the order in which
 * they were given for a key.
 */
public final class UnreliableStore implements ObjectStore {
  private final MemoryStore store = new MemoryStore();
  private final List<Rule> rules = new ArrayList<>();
  private final List<Late> late = new ArrayList<>();
  private volatile CountDownLatch putsHeld = new CountDownLatch(0);
  private boolean areReadsFailing;
  private final ArrayDeque<String> calls = new ArrayDeque<>();

  /** What happens to a put. */
  public enum Effect {
    /** It takes effect, but the reply is lost. */
    LOST_REPLY,
    /** It has no effect, and nobody says so. */
    LOST_REQUEST,
    /** Nobody knows, and it takes effect when {@link #land} is called. */
    LATE,
    /** It has no effect, and the store says so. */
    REFUSED
  }

  private record Rule(Predicate<String> key, Effect effect, Runnable before) {}

  private record Late(String key, Body body) {}

  /** The next put to a key that starts with {@code prefix} goes wrong in this way. */
  public synchronized UnreliableStore on(String prefix, Effect effect) {
    rules.add(new Rule(key -> key.startsWith(prefix), effect, () -> {}));
    return this;
  }

  /** Something happens just before the next put to a key that starts with {@code prefix}. */
  public synchronized UnreliableStore before(String prefix, Runnable action) {
    rules.add(new Rule(key -> key.startsWith(prefix), Effect.LOST_REQUEST, action));
    return this;
  }

  /** Late puts take effect, if their keys are free. */
  public synchronized void land() throws IOException {
    for (Late put : late) {
      var unused = store.putIfAbsent(put.key(), put.body());
    }
    late.clear();
  }

  /** The calls since the last time, as {@code operation key}. */
  public synchronized List<String> takeCalls() {
    List<String> taken = List.copyOf(calls);
    calls.clear();
    return taken;
  }

  private synchronized void called(String operation, String key) {
    calls.add(operation + " " + key);
  }

  private synchronized Optional<Rule> rule(String key) {
    Optional<Rule> found = rules.stream().filter(rule -> rule.key().test(key)).findFirst();
    found.ifPresent(rules::remove);
    return found;
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    called("putIfAbsent", key);
    Optional<Rule> rule = rule(key);
    if (rule.isEmpty()) {
      return store.putIfAbsent(key, body);
    }
    rule.get().before().run();
    switch (rule.get().effect()) {
      case LOST_REPLY -> {
        var unused = store.putIfAbsent(key, body);
      }
      case LATE -> late.add(new Late(key, Body.of(body.toArray())));
      case REFUSED -> throw new IOException("putIfAbsent " + key + " was refused");
      case LOST_REQUEST -> {}
    }
    return PutOutcome.UNKNOWN;
  }

  @Override
  public void put(String key, Body body) throws IOException {
    awaitPuts();
    called("put", key);
    Optional<Rule> rule = rule(key);
    if (rule.isPresent()) {
      throw new IOException("put " + key + " was refused");
    }
    store.put(key, body);
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    called("read", key);
    return store.read(key);
  }

  /** Unconditional puts wait from now on until the latch is open. */
  public void holdPuts(CountDownLatch latch) {
    putsHeld = latch;
  }

  private void awaitPuts() throws IOException {
    try {
      putsHeld.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted while puts were held");
    }
  }

  /** From now on range reads fail, or do not. */
  public synchronized void failReads(boolean isFailing) {
    areReadsFailing = isFailing;
  }

  private synchronized void requireReads(String key) throws IOException {
    if (areReadsFailing) {
      throw new IOException("read " + key + " failed");
    }
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    called("range", key);
    requireReads(key);
    return store.read(key, offset, length);
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    called("suffix", key);
    return store.readSuffix(key, length);
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    called("size", key);
    return store.size(key);
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    called("list", prefix);
    return store.list(prefix, continuation);
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    keys.forEach(key -> called("delete", key));
    return store.delete(keys);
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
