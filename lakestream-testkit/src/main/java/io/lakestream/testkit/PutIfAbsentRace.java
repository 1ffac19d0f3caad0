// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import io.lakestream.runtime.Environment;
import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.store.RetryingStore;
import io.lakestream.store.Stores;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A race of processes: each tries to create the same objects, all released at once. Threads of one
 * process cannot show what a store does between machines.
 *
 * <p>The processes are JVMs with this one's class path that run {@link #main}. They meet in a
 * folder: each says there that it is ready, waits for the file that starts the race, and leaves a
 * list of what it won.
 */
public final class PutIfAbsentRace {
  private static final String START = "start";

  /** How long a JVM may take to come up or to end; beyond, something hangs. */
  private static final long WAIT_SECONDS_MAX = 300;

  /** Creates of one object that may stay unanswered before a racer gives up. */
  private static final int TRIES_MAX = 100;

  private PutIfAbsentRace() {}

  /**
   * Races over {@code names} objects below {@code race/} of an empty store.
   *
   * @param store the store, as {@link Stores#open(URI)} takes it
   * @param folder an empty folder of this machine, where the processes meet
   * @return what went wrong: names without exactly one winner, or whose object is not the winner's
   */
  public static List<String> run(URI store, Path folder, int processes, int names)
      throws IOException, InterruptedException {
    List<Process> racers = new ArrayList<>();
    try {
      for (int racer = 0; racer < processes; racer++) {
        racers.add(start(store, folder, racer, names));
      }
      for (int racer = 0; racer < processes; racer++) {
        awaitReady(racers.get(racer), folder, racer);
      }
      Path ignored = Files.createFile(folder.resolve(START));
      for (int racer = 0; racer < processes; racer++) {
        awaitEnd(racers.get(racer), folder, racer);
      }
    } finally {
      racers.forEach(Process::destroyForcibly);
    }
    return judge(store, folder, processes, names);
  }

  /**
   * One racer; its arguments are the store, the folder, its number and how many names there are.
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path folder = Path.of(arguments[1]);
    int racer = Integer.parseInt(arguments[2]);
    int names = Integer.parseInt(arguments[3]);
    try (ObjectStore store = open(URI.create(arguments[0]))) {
      Path ignored = Files.createFile(folder.resolve("ready-" + racer));
      while (!Files.exists(folder.resolve(START))) {
        Thread.sleep(1);
      }
      Files.write(folder.resolve("won-" + racer), race(store, racer, names));
    }
  }

  /**
   * Creates what it can. On the first way who loses skips a name, and so catches up with whoever is
   * ahead: else the first to start would win everything, unchallenged. The second way is for the
   * rest.
   */
  private static List<String> race(ObjectStore store, int racer, int names) throws IOException {
    List<String> won = new ArrayList<>();
    int name = 0;
    while (name < names) {
      if (create(store, name, racer)) {
        won.add(Integer.toString(name));
        name += 1;
      } else {
        name += 2;
      }
    }
    for (name = 0; name < names; name++) {
      if (store.size(key(name)).isEmpty() && create(store, name, racer)) {
        won.add(Integer.toString(name));
      }
    }
    return won;
  }

  private static Process start(URI store, Path folder, int racer, int names) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            PutIfAbsentRace.class.getName(),
            store.toString(),
            folder.toString(),
            Integer.toString(racer),
            Integer.toString(names))
        .redirectErrorStream(true)
        .redirectOutput(log(folder, racer).toFile())
        .start();
  }

  private static void awaitReady(Process process, Path folder, int racer)
      throws IOException, InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS_MAX);
    while (!Files.exists(folder.resolve("ready-" + racer))) {
      if (!process.isAlive() || System.nanoTime() > deadlineNanos) {
        throw failure(folder, racer, "did not get ready");
      }
      Thread.sleep(10);
    }
  }

  private static void awaitEnd(Process process, Path folder, int racer)
      throws IOException, InterruptedException {
    if (!process.waitFor(WAIT_SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw failure(folder, racer, "did not finish");
    }
  }

  private static IOException failure(Path folder, int racer, String what) throws IOException {
    return new IOException(
        "racer " + racer + " " + what + ": " + Files.readString(log(folder, racer)));
  }

  private static Path log(Path folder, int racer) {
    return folder.resolve("log-" + racer);
  }

  private static ObjectStore open(URI store) {
    return new RetryingStore(
        Stores.open(store), RetryingStore.Settings.DEFAULT, Environment.system());
  }

  /** True if this racer's object was created. */
  private static boolean create(ObjectStore store, int name, int racer) throws IOException {
    Body body = Body.of(bytes(name, racer));
    for (int i = 0; i < TRIES_MAX; i++) {
      PutOutcome outcome = store.putIfAbsent(key(name), body);
      if (outcome == PutOutcome.CREATED) {
        return true;
      }
      if (outcome == PutOutcome.OCCUPIED) {
        // After an unknown outcome the occupant may be one's own.
        return i > 0 && isObjectOf(store, name, racer);
      }
    }
    throw new IOException(key(name) + ": the store does not tell whether it was created");
  }

  private static List<String> judge(URI uri, Path folder, int processes, int names)
      throws IOException {
    List<List<Integer>> winners = winners(folder, processes, names);
    List<String> wrong = new ArrayList<>();
    try (ObjectStore store = open(uri)) {
      for (int name = 0; name < names; name++) {
        List<Integer> won = winners.get(name);
        if (won.size() != 1) {
          wrong.add(key(name) + " was won by " + won);
        } else if (!isObjectOf(store, name, won.get(0))) {
          wrong.add(key(name) + " is not the object of its winner " + won.get(0));
        }
      }
    }
    return wrong;
  }

  /** For each name the racers that say they created it. */
  private static List<List<Integer>> winners(Path folder, int processes, int names)
      throws IOException {
    List<List<Integer>> winners = new ArrayList<>();
    for (int name = 0; name < names; name++) {
      winners.add(new ArrayList<>());
    }
    for (int racer = 0; racer < processes; racer++) {
      for (String name : Files.readAllLines(folder.resolve("won-" + racer))) {
        winners.get(Integer.parseInt(name)).add(racer);
      }
    }
    return winners;
  }

  private static boolean isObjectOf(ObjectStore store, int name, int racer) throws IOException {
    return store.read(key(name)).equals(Optional.of(ByteBuffer.wrap(bytes(name, racer))));
  }

  private static String key(int name) {
    return "race/" + name;
  }

  /** Of a length of its own, so that a mixture of two would show. */
  private static byte[] bytes(int name, int racer) {
    return ("racer " + racer + ", name " + name + "\n")
        .repeat(100 + racer)
        .getBytes(StandardCharsets.US_ASCII);
  }
}
