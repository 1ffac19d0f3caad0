// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.store.Body;
import io.lakestream.store.ListPage;
import io.lakestream.store.ObjectEntry;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** What the parts of {@link ObjectStoreContract} share. */
interface StoreUnderTest {
  /** The system property with the seed of tests that draw: set it to repeat a failure. */
  String SEED = "lakestream.seed";

  /** The store under test, empty at the beginning of each test. */
  ObjectStore store();

  /** Another store of the same place, as another process has it; the caller closes it. */
  ObjectStore open() throws IOException;

  /** Creates an object that must not exist. */
  static void mustCreate(ObjectStore store, String key, byte[] bytes) throws IOException {
    assertThat(store.putIfAbsent(key, Body.of(bytes))).isEqualTo(PutOutcome.CREATED);
  }

  /** The seed that was asked for, or a new one. */
  static long seed() {
    return Long.getLong(SEED, new SplittableRandom().nextLong());
  }

  /** Bytes that look random and are the same for the same seed. */
  static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  /** A whole object in an array. */
  static Optional<byte[]> read(ObjectStore store, String key) throws IOException {
    return store.read(key).map(StoreUnderTest::toArray);
  }

  /** The remaining bytes of a buffer in an array. */
  static byte[] toArray(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /** All entries below {@code prefix}, page after page. */
  static List<ObjectEntry> list(ObjectStore store, String prefix) throws IOException {
    List<ObjectEntry> entries = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      ListPage page = store.list(prefix, next);
      entries.addAll(page.entries());
      next = page.next();
    } while (next.isPresent());
    return entries;
  }

  /** The keys below {@code prefix}, sorted. */
  static List<String> keys(ObjectStore store, String prefix) throws IOException {
    return list(store, prefix).stream().map(ObjectEntry::key).sorted().toList();
  }
}
