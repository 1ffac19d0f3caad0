// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.lakestream.runtime.Clock;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.StoreMetrics.Operation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.LongSupplier;

/** A store whose calls take as long as told, on a clock of a simulation. */
final class SlowStore extends ForwardingStore {
  private final Clock clock;
  private final LongSupplier usualMillis;
  private final Queue<Answer> next = new ArrayDeque<>();
  private final List<String> calls = new ArrayList<>();
  private int underWay;
  private int underWayMax;
  private int letGo;

  /** How a call ends. */
  private record Answer(long millis, boolean isDeaf, Optional<IOException> failure) {
    Answer(long millis) {
      this(millis, false, Optional.empty());
    }
  }

  SlowStore(ObjectStore store, Clock clock, LongSupplier usualMillis) {
    super(store);
    this.clock = clock;
    this.usualMillis = usualMillis;
  }

  /** The next call takes so long, unless it is interrupted. */
  SlowStore then(long millis) {
    next.add(new Answer(millis));
    return this;
  }

  /** The next call takes so long and does not heed interrupts. */
  SlowStore thenDeaf(long millis) {
    next.add(new Answer(millis, true, Optional.empty()));
    return this;
  }

  /** The next call fails after so long. */
  SlowStore thenFail(long millis, IOException failure) {
    next.add(new Answer(millis, false, Optional.of(failure)));
    return this;
  }

  /** Operation and start of each call, in milliseconds. */
  List<String> calls() {
    return calls;
  }

  int underWay() {
    return underWay;
  }

  int underWayMax() {
    return underWayMax;
  }

  /** Calls that were interrupted. */
  int letGo() {
    return letGo;
  }

  @Override
  protected <T> T forward(Operation operation, String key, Call<T> call) throws IOException {
    calls.add(operation.label() + " at " + nowMillis());
    underWay++;
    underWayMax = Math.max(underWayMax, underWay);
    try {
      Answer told = next.poll();
      Answer answer = told == null ? new Answer(usualMillis.getAsLong()) : told;
      sleep(answer);
      if (answer.failure().isPresent()) {
        throw answer.failure().get();
      }
      return super.forward(operation, key, call);
    } finally {
      underWay--;
    }
  }

  private long nowMillis() {
    return clock.nanoTime() / 1_000_000;
  }

  private void sleep(Answer answer) throws InterruptedIOException {
    long end = clock.nanoTime() + MILLISECONDS.toNanos(answer.millis());
    while (clock.nanoTime() < end) {
      try {
        clock.sleep(end - clock.nanoTime());
      } catch (InterruptedException e) {
        letGo++;
        if (!answer.isDeaf()) {
          throw new InterruptedIOException("let go");
        }
      }
    }
  }
}
