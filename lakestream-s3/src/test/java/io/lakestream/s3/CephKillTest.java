// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.store.Stores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What Ceph's gateway has acknowledged survives the sudden end of all of its processes. */
@Tag("servers")
final class CephKillTest {
  private static final int KILLS = 2;
  private static final int WRITERS = 4;

  /** Enough that a kill falls among them. */
  private static final int ACKNOWLEDGED_PER_KILL = 100;

  private static final int BYTES = 20_000;

  private final Map<String, byte[]> acknowledged = new ConcurrentSkipListMap<>();

  @Test
  void noAcknowledgedObjectIsLost() throws Exception {
    CephServer server = CephServer.only();
    String place = server.freshPlace();
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        int before = acknowledged.size();
        List<Future<Integer>> writing = start(writers, place, kill);
        while (acknowledged.size() < before + ACKNOWLEDGED_PER_KILL) {
          assertThat(writing).as("writers that write").noneMatch(Future::isDone);
          Thread.sleep(10);
        }
        server.killAndStart();
        for (Future<Integer> one : writing) {
          assertThat(one.get(2, TimeUnit.MINUTES)).isPositive();
        }
      }
    } finally {
      writers.shutdownNow();
    }
    try (ObjectStore store = Stores.open(place)) {
      for (Map.Entry<String, byte[]> object : acknowledged.entrySet()) {
        assertThat(store.read(object.getKey()))
            .as(object.getKey())
            .contains(ByteBuffer.wrap(object.getValue()));
      }
    }
  }

  private List<Future<Integer>> start(ExecutorService writers, String place, int kill) {
    List<Future<Integer>> writing = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      Callable<Integer> task = () -> write(place, "%d/%d".formatted(kill, number));
      writing.add(writers.submit(task));
    }
    return writing;
  }

  /** Creates objects until one fails; returns how many the store acknowledged. */
  private int write(String place, String folder) throws IOException {
    try (ObjectStore store = Stores.open(place)) {
      for (int i = 0; ; i++) {
        String key = "%s/%d".formatted(folder, i);
        byte[] bytes = new byte[BYTES];
        new SplittableRandom(key.hashCode()).nextBytes(bytes);
        if (!isCreated(store, key, bytes)) {
          return i;
        }
        acknowledged.put(key, bytes);
      }
    }
  }

  private static boolean isCreated(ObjectStore store, String key, byte[] bytes) {
    try {
      return store.putIfAbsent(key, Body.of(bytes)) == PutOutcome.CREATED;
    } catch (IOException e) {
      return false; // The server is gone.
    }
  }
}
