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
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/**
 * What holds when several do something at once. Each test makes sure that they did: a race in which
 * one was done before the next began shows nothing, and does not count.
 */
interface RaceContract extends StoreUnderTest {
  /** Threads in a race. */
  int RACERS = 8;

  /** Long enough that a mixture of two objects, or a part of one, would show. */
  int RACE_LENGTH = 200_000;

  /** Races held for one that counts, before it is said that there are none. */
  int TRIES_PER_RACE = 40;

  @Test
  default void ofManyCreatesOfOneKeyOneWinsAndTheObjectIsIts() throws Exception {
    int races = 25;
    int raced = 0;
    List<byte[]> entries = entries();
    try (Racers racers = racers()) {
      for (int round = 0; raced < races && round < races * TRIES_PER_RACE; round++) {
        String key = "race/" + round;
        Race<PutOutcome> race =
            racers.race((store, racer) -> store.putIfAbsent(key, Body.of(entries.get(racer))));
        assertThat(Collections.frequency(race.results(), PutOutcome.CREATED))
            .as("%s: %s", key, race.results())
            .isEqualTo(1);
        int winner = race.results().indexOf(PutOutcome.CREATED);
        assertThat(read(store(), key)).contains(entries.get(winner));
        assertThat(store().size(key)).hasValue(RACE_LENGTH + winner);
        raced += race.count();
      }
    }
    assertThat(raced).as("races in which calls overlapped").isEqualTo(races);
  }

  @Test
  default void ofManyPutsOfOneKeyOneRemainsWhole() throws Exception {
    int races = 10;
    int raced = 0;
    List<byte[]> entries = entries();
    try (Racers racers = racers()) {
      for (int round = 0; raced < races && round < races * TRIES_PER_RACE; round++) {
        String key = "race/" + round;
        Race<byte[]> race =
            racers.race(
                (store, racer) -> {
                  store.put(key, Body.of(entries.get(racer)));
                  return entries.get(racer);
                });
        assertThat(race.results()).contains(read(store(), key).orElseThrow());
        raced += race.count();
      }
    }
    assertThat(raced).as("races in which calls overlapped").isEqualTo(races);
  }

  @Test
  default void aReaderSeesAllOfAnObjectOrNothing() throws Exception {
    int objects = 100;
    Semaphore missed = new Semaphore(0);
    Callable<Integer> creating =
        () -> {
          for (int i = 0; i < objects; i++) {
            missed.acquire();
            mustCreate(store(), "race/" + i, bytes(i, RACE_LENGTH));
          }
          return objects;
        };
    Callable<Integer> reading =
        () -> {
          try (ObjectStore other = open()) {
            for (int i = 0; i < objects; i++) {
              assertThat(other.read("race/" + i)).isEmpty();
              missed.release();
              assertThat(readUntilThere(other, "race/" + i)).isEqualTo(bytes(i, RACE_LENGTH));
            }
          }
          return objects;
        };
    assertThat(Together.run(List.of(creating, reading))).hasSize(2);
  }

  @Test
  default void aListingHasAnObjectWithItsFullSizeOrNotAtAll() throws Exception {
    int objects = 100;
    CountDownLatch partlySeen = new CountDownLatch(1);
    AtomicBoolean isDone = new AtomicBoolean();
    Callable<Integer> creating =
        () -> {
          try {
            for (int i = 0; i < objects; i++) {
              mustCreate(store(), "race/" + i, bytes(i, RACE_LENGTH));
              if (i == objects / 2) {
                partlySeen.await();
              }
            }
          } finally {
            isDone.set(true);
          }
          return objects;
        };
    assertThat(Together.run(List.of(creating, () -> listUntil(isDone, partlySeen)))).hasSize(2);
  }

  @Test
  default void aReaderSeesOneOrTheOtherWhileAnObjectIsReplaced() throws Exception {
    int times = 100;
    List<byte[]> whole = List.of(bytes(0, RACE_LENGTH), bytes(1, RACE_LENGTH + 1));
    store().put("race/k", Body.of(whole.get(0)));
    AtomicInteger reads = new AtomicInteger();
    AtomicBoolean isDone = new AtomicBoolean();
    Callable<Integer> replacing =
        () -> {
          try {
            return replace(whole, puts -> puts < times || reads.get() < times);
          } finally {
            isDone.set(true);
          }
        };
    Callable<Integer> reading =
        () -> {
          while (!isDone.get()) {
            assertThat(whole).contains(read(store(), "race/k").orElseThrow());
            reads.incrementAndGet();
          }
          return reads.get();
        };
    assertThat(Together.run(List.of(replacing, reading))).allMatch(count -> count >= times);
  }

  /** Puts one and the other in turns, until it has been enough or the reader failed. */
  private int replace(List<byte[]> whole, IntPredicate isMoreWanted) throws IOException {
    int puts = 0;
    while (isMoreWanted.test(puts) && !Thread.interrupted()) {
      puts++;
      store().put("race/k", Body.of(whole.get(puts % whole.size())));
    }
    return puts;
  }

  private static byte[] readUntilThere(ObjectStore store, String key)
      throws IOException, InterruptedException {
    while (!Thread.interrupted()) {
      var found = read(store, key);
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw new InterruptedException("the creator failed");
  }

  /** Lists again and again; opens {@code seen} once a listing has some of the objects. */
  private int listUntil(AtomicBoolean isDone, CountDownLatch seen) throws IOException {
    try (ObjectStore other = open()) {
      int listings = 0;
      while (!isDone.get()) {
        // Some stores show files that are being written under names that nobody gave them.
        var entries =
            list(other, "race/").stream()
                .filter(entry -> entry.key().matches("race/[0-9]+"))
                .toList();
        assertThat(entries).allMatch(entry -> entry.size() == RACE_LENGTH);
        if (!entries.isEmpty()) {
          seen.countDown();
        }
        listings++;
      }
      return listings;
    }
  }

  /** What each racer puts, of a length of its own. */
  private static List<byte[]> entries() {
    List<byte[]> entries = new ArrayList<>();
    for (int racer = 0; racer < RACERS; racer++) {
      entries.add(bytes(racer, RACE_LENGTH + racer));
    }
    return entries;
  }

  private Racers racers() throws IOException {
    List<ObjectStore> stores = new ArrayList<>();
    Racers racers = new Racers(stores);
    for (int i = 0; i < RACERS; i++) {
      stores.add(open());
    }
    return racers;
  }

  /**
   * Those who race, each as a process of its own.
   *
   * @param stores the store of each
   */
  record Racers(List<ObjectStore> stores) implements AutoCloseable {
    <T> Race<T> race(Racer<T> racer) throws Exception {
      AtomicInteger inside = new AtomicInteger();
      AtomicBoolean isOverlapping = new AtomicBoolean();
      List<Callable<T>> things = new ArrayList<>();
      for (int i = 0; i < stores.size(); i++) {
        int number = i;
        things.add(
            () -> {
              if (inside.incrementAndGet() > 1) {
                isOverlapping.set(true);
              }
              T result = racer.run(stores.get(number), number);
              inside.decrementAndGet();
              return result;
            });
      }
      return new Race<>(Together.run(things), isOverlapping.get());
    }

    @Override
    public void close() throws IOException {
      for (ObjectStore store : stores) {
        store.close();
      }
    }
  }

  /**
   * How a race ended.
   *
   * @param results what each racer has to show
   * @param isOverlapping whether a call began before another had ended
   */
  record Race<T>(List<T> results, boolean isOverlapping) {
    int count() {
      return isOverlapping ? 1 : 0;
    }
  }

  /** One of those who race, each with a store of its own. */
  @FunctionalInterface
  interface Racer<T> {
    /** One call on its store, and what is to be known of it. */
    T run(ObjectStore store, int number) throws IOException;
  }
}
