// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import io.lakestream.runtime.Monitor;
import io.lakestream.runtime.Tasks;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Eight threads that create one object at once. Decided are a race that one of them won, and one in
 * which the store did wrong; a race in which nobody learnt that he won tells nothing.
 */
final class CreateRace {
  private static final int RACERS = 8;

  private final ObjectStore store;
  private final Tasks tasks;
  private final String key;
  private final Monitor monitor;

  // Guarded by the monitor.
  private final List<@Nullable PutOutcome> outcomes =
      new ArrayList<>(Collections.nCopies(RACERS, null));
  private @Nullable Throwable failure;
  private int arrived;

  private String trouble = "the race was not run";
  private boolean isDecided;

  CreateRace(ObjectStore store, Tasks tasks, String key) {
    this.store = store;
    this.tasks = tasks;
    this.key = key;
    this.monitor = tasks.monitor();
  }

  /** True if the race told something about the store. */
  boolean isDecided() {
    return isDecided;
  }

  /** What went wrong, or nothing. */
  String trouble() {
    return trouble;
  }

  /** Runs the race. */
  void run() throws IOException {
    List<Tasks.Task> racers = new ArrayList<>();
    for (int i = 0; i < RACERS; i++) {
      int racer = i;
      racers.add(tasks.start("lakestream-probe-" + i, () -> race(racer)));
    }
    try {
      for (Tasks.Task racer : racers) {
        racer.join();
      }
    } catch (InterruptedException e) {
      racers.forEach(Tasks.Task::interrupt);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("probe of '" + key + "' was interrupted");
    }
    judge();
  }

  private void race(int racer) {
    try {
      awaitAll();
      PutOutcome outcome = store.putIfAbsent(key, Body.of(bytes(racer)));
      monitor.change(() -> outcomes.set(racer, outcome));
    } catch (TransientStoreException e) {
      // No effect, so this one has lost.
      monitor.change(() -> outcomes.set(racer, PutOutcome.OCCUPIED));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException | Error e) {
      monitor.change(() -> failure = e);
    }
  }

  private void awaitAll() throws InterruptedException {
    monitor.change(() -> arrived++);
    boolean ignored = monitor.when(() -> arrived == RACERS, () -> true);
  }

  private void judge() throws IOException {
    throwFailure();
    int winners = Collections.frequency(outcomes, PutOutcome.CREATED);
    isDecided = winners > 0;
    if (winners == 0) {
      trouble = "nobody won: " + outcomes;
    } else if (winners > 1) {
      trouble = winners + " of " + RACERS + " creates of one key were told that they won";
    } else {
      Optional<ByteBuffer> winner =
          Optional.of(ByteBuffer.wrap(bytes(outcomes.indexOf(PutOutcome.CREATED))));
      trouble = store.read(key).equals(winner) ? "" : "the object is not the winner's";
    }
  }

  private void throwFailure() throws IOException {
    Throwable failed = failure;
    if (failed instanceof IOException io) {
      throw io;
    }
    if (failed instanceof RuntimeException own) {
      throw own;
    }
    if (failed instanceof Error error) {
      throw error;
    }
  }

  /** Long enough that a mixture of two would show. */
  private static byte[] bytes(int racer) {
    return ("racer " + racer + "\n").repeat(1_000).getBytes(StandardCharsets.UTF_8);
  }
}
