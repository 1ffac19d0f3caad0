// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import io.lakestream.store.StoreMetrics.Operation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/**
 * A memory store in which single puts go wrong as told. Rules are used once, in the order in which
 * they were given for a key.
 */
public final class UnreliableStore extends ForwardingStore {
  private final List<Rule> rules = new ArrayList<>();
  private final List<Late> late = new ArrayList<>();
  private volatile CountDownLatch putsHeld = new CountDownLatch(0);
  private boolean areReadsFailing;
  private final ArrayDeque<String> calls = new ArrayDeque<>();

  /** All is well until something else is said. */
  public UnreliableStore() {
    super(new MemoryStore());
  }

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
    return before(prefix, Effect.LOST_REQUEST, action);
  }

  /** As {@link #before(String, Runnable)}, and then the put goes wrong in this way. */
  public synchronized UnreliableStore before(String prefix, Effect effect, Runnable action) {
    rules.add(new Rule(key -> key.startsWith(prefix), effect, action));
    return this;
  }

  /** Late puts take effect, if their keys are free. */
  public synchronized void land() throws IOException {
    for (Late put : late) {
      var unused = target().putIfAbsent(put.key(), put.body());
    }
    late.clear();
  }

  /** The calls since the last time, as {@code operation key}. */
  public synchronized List<String> takeCalls() {
    List<String> taken = List.copyOf(calls);
    calls.clear();
    return taken;
  }

  @Override
  protected void begin(Operation operation, String key) throws IOException {
    if (operation == Operation.PUT) {
      awaitPuts();
    }
    synchronized (this) {
      calls.add(operation.label() + " " + key);
      if (operation == Operation.READ_RANGE && areReadsFailing) {
        throw new IOException("read " + key + " failed");
      }
    }
  }

  private synchronized Optional<Rule> rule(String key) {
    Optional<Rule> found = rules.stream().filter(rule -> rule.key().test(key)).findFirst();
    found.ifPresent(rules::remove);
    return found;
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    begin(Operation.PUT_IF_ABSENT, key);
    Optional<Rule> rule = rule(key);
    if (rule.isEmpty()) {
      return target().putIfAbsent(key, body);
    }
    rule.get().before().run();
    switch (rule.get().effect()) {
      case LOST_REPLY -> {
        var unused = target().putIfAbsent(key, body);
      }
      case LATE -> late.add(new Late(key, Body.of(body.toArray())));
      case REFUSED -> throw new IOException("putIfAbsent " + key + " was refused");
      case LOST_REQUEST -> {}
    }
    return PutOutcome.UNKNOWN;
  }

  @Override
  public void put(String key, Body body) throws IOException {
    begin(Operation.PUT, key);
    if (rule(key).isPresent()) {
      throw new IOException("put " + key + " was refused");
    }
    target().put(key, body);
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

  /** From now on range reads fail. */
  public synchronized void failReads() {
    areReadsFailing = true;
  }

  /** From now on range reads succeed again. */
  public synchronized void mendReads() {
    areReadsFailing = false;
  }
}
