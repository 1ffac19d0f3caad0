// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import static io.lakestream.testkit.StoreUnderTest.bytes;
import static io.lakestream.testkit.StoreUnderTest.list;
import static io.lakestream.testkit.StoreUnderTest.mustCreate;
import static io.lakestream.testkit.StoreUnderTest.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What holds when several do something at once. */
interface RaceContract extends StoreUnderTest {
  /** Threads in a race. */
  int RACERS = 8;

  /** Long enough that a mixture of two objects, or a part of one, would show. */
  int RACE_LENGTH = 200_000;

  @Test
  default void ofManyCreatesOfOneKeyOneWinsAndTheObjectIsIts() throws Exception {
    for (int round = 0; round < 25; round++) {
      String key = "race/" + round;
      List<PutOutcome> outcomes =
          race(
              (store, racer) -> store.putIfAbsent(key, Body.of(bytes(racer, RACE_LENGTH + racer))));
      assertThat(Collections.frequency(outcomes, PutOutcome.CREATED))
          .as("%s: %s", key, outcomes)
          .isEqualTo(1);
      int winner = outcomes.indexOf(PutOutcome.CREATED);
      assertThat(read(store(), key)).contains(bytes(winner, RACE_LENGTH + winner));
      assertThat(store().size(key)).hasValue(RACE_LENGTH + winner);
    }
  }

  @Test
  default void ofManyPutsOfOneKeyOneRemainsWhole() throws Exception {
    for (int round = 0; round < 10; round++) {
      String key = "race/" + round;
      List<byte[]> written =
          race(
              (store, racer) -> {
                byte[] bytes = bytes(racer, RACE_LENGTH + racer);
                store.put(key, Body.of(bytes));
                return bytes;
              });
      byte[] found = read(store(), key).orElseThrow();
      assertThat(written).contains(found);
    }
  }

  @Test
  default void aReaderSeesAllOfAnObjectOrNothing() throws Exception {
    int rounds = 100;
    AtomicBoolean isDone = new AtomicBoolean();
    List<Callable<Integer>> things = new ArrayList<>();
    things.add(
        () -> {
          try {
            for (int i = 0; i < rounds; i++) {
              mustCreate(store(), "race/" + i, bytes(i, RACE_LENGTH));
            }
          } finally {
            isDone.set(true);
          }
          return rounds;
        });
    things.add(() -> readUntilThere(rounds, isDone));
    things.add(() -> listUntilDone(isDone));
    assertThat(Together.run(things)).hasSize(3);
  }

  @Test
  default void aReaderSeesOneOrTheOtherWhileAnObjectIsReplaced() throws Exception {
    AtomicBoolean isDone = new AtomicBoolean();
    store().put("race/k", Body.of(bytes(0, RACE_LENGTH)));
    List<Callable<Integer>> things = new ArrayList<>();
    things.add(
        () -> {
          try {
            for (int i = 1; i <= 100; i++) {
              store().put("race/k", Body.of(bytes(i % 2, RACE_LENGTH + i % 2)));
            }
          } finally {
            isDone.set(true);
          }
          return 100;
        });
    things.add(
        () -> {
          int reads = 0;
          List<byte[]> whole = List.of(bytes(0, RACE_LENGTH), bytes(1, RACE_LENGTH + 1));
          while (!isDone.get()) {
            assertThat(whole).contains(read(store(), "race/k").orElseThrow());
            reads++;
          }
          return reads;
        });
    assertThat(Together.run(things)).hasSize(2);
  }

  /** Reads each object again and again until it is there. */
  private int readUntilThere(int rounds, AtomicBoolean isDone) throws IOException {
    try (ObjectStore other = open()) {
      int misses = 0;
      for (int i = 0; i < rounds; i++) {
        boolean isLast;
        Optional<byte[]> found;
        do {
          isLast = isDone.get();
          found = read(other, "race/" + i);
          misses++;
        } while (found.isEmpty() && !isLast);
        assertThat(found).contains(bytes(i, RACE_LENGTH));
      }
      return misses;
    }
  }

  private int listUntilDone(AtomicBoolean isDone) throws IOException {
    try (ObjectStore other = open()) {
      int listings = 0;
      while (!isDone.get()) {
        assertThat(list(other, "race/")).allMatch(entry -> entry.size() == RACE_LENGTH);
        listings++;
      }
      return listings;
    }
  }

  private <T> List<T> race(Racer<T> racer) throws Exception {
    List<ObjectStore> stores = new ArrayList<>();
    List<Callable<T>> things = new ArrayList<>();
    try {
      for (int i = 0; i < RACERS; i++) {
        int number = i;
        ObjectStore own = open();
        stores.add(own);
        things.add(() -> racer.run(own, number));
      }
      return Together.run(things);
    } finally {
      for (ObjectStore own : stores) {
        own.close();
      }
    }
  }

  /** One of those who race, each with a store of its own. */
  @FunctionalInterface
  interface Racer<T> {
    /** Does its part. */
    T run(ObjectStore store, int number) throws IOException;
  }
}
