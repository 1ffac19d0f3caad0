// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import static io.lakestream.testkit.StoreUnderTest.bytes;
import static io.lakestream.testkit.StoreUnderTest.mustCreate;
import static io.lakestream.testkit.StoreUnderTest.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Creating and replacing objects. */
interface PutContract extends StoreUnderTest {

  @Test
  default void aFreeKeyIsCreated() throws IOException {
    assertThat(store().putIfAbsent("a/k", Body.of(bytes(1, 1_000)))).isEqualTo(PutOutcome.CREATED);
    assertThat(read(store(), "a/k")).contains(bytes(1, 1_000));
  }

  @Test
  default void aTakenKeyIsOccupiedAndKeepsItsFirstBytes() throws IOException {
    mustCreate(store(), "a/k", bytes(1, 1_000));
    for (int length : new int[] {0, 1_000, 2_000}) {
      assertThat(store().putIfAbsent("a/k", Body.of(bytes(2, length))))
          .isEqualTo(PutOutcome.OCCUPIED);
    }
    assertThat(store().putIfAbsent("a/k", Body.of(bytes(1, 1_000)))).isEqualTo(PutOutcome.OCCUPIED);
    assertThat(read(store(), "a/k")).contains(bytes(1, 1_000));
  }

  @Test
  default void aKeyIsOccupiedHoweverItWasWritten() throws IOException {
    store().put("a/k", Body.of(bytes(1, 10)));
    assertThat(store().putIfAbsent("a/k", Body.of(bytes(2, 10)))).isEqualTo(PutOutcome.OCCUPIED);
    mustCreate(store(), "a/empty", new byte[0]);
    assertThat(store().putIfAbsent("a/empty", Body.of(bytes(2, 10))))
        .isEqualTo(PutOutcome.OCCUPIED);
    assertThat(read(store(), "a/empty")).contains(new byte[0]);
  }

  @Test
  default void aKeyIsFreeAgainWhenItsObjectIsDeleted() throws IOException {
    mustCreate(store(), "a/k", bytes(1, 10));
    assertThat(store().delete(List.of("a/k"))).isEmpty();
    mustCreate(store(), "a/k", bytes(2, 10));
    assertThat(read(store(), "a/k")).contains(bytes(2, 10));
  }

  @Test
  default void aPutCreatesAndReplaces() throws IOException {
    for (int length : new int[] {100, 1_000, 10, 0, 5}) {
      store().put("a/k", Body.of(bytes(length, length)));
      assertThat(read(store(), "a/k")).contains(bytes(length, length));
      assertThat(store().size("a/k")).hasValue(length);
    }
  }

  @Test
  default void aPutReplacesWhatWasCreated() throws IOException {
    mustCreate(store(), "a/k", bytes(1, 10));
    store().put("a/k", Body.of(bytes(2, 20)));
    assertThat(read(store(), "a/k")).contains(bytes(2, 20));
  }

  @Test
  default void anEmptyObjectIsAnObject() throws IOException {
    mustCreate(store(), "a/created", new byte[0]);
    store().put("a/put", Body.of());
    for (String key : List.of("a/created", "a/put")) {
      assertThat(store().size(key)).hasValue(0);
      assertThat(read(store(), key)).contains(new byte[0]);
      assertThat(store().read(key, 0, 10)).contains(ByteBuffer.allocate(0));
      assertThat(store().readSuffix(key, 10)).contains(ByteBuffer.allocate(0));
    }
    assertThat(StoreUnderTest.keys(store(), "a/")).containsExactly("a/created", "a/put");
  }

  @Test
  default void anObjectOf64MegabytesComesBackWhole() throws IOException {
    int length = 64 << 20;
    byte[] large = bytes(64, length);
    mustCreate(store(), "a/large", large);
    assertThat(store().size("a/large")).hasValue(length);
    assertThat(store().read("a/large").map(ByteBuffer.wrap(large)::equals)).contains(true);
    ByteBuffer middle = ByteBuffer.wrap(large, length / 2 - 5, 10).slice();
    assertThat(store().read("a/large", length / 2 - 5, 10)).contains(middle);
    ByteBuffer end = ByteBuffer.wrap(large, length - 3_000_000, 3_000_000).slice();
    assertThat(store().readSuffix("a/large", 3_000_000).map(end::equals)).contains(true);
  }

  @Test
  default void theBuffersOfABodyAreStoredBackToBack() throws IOException {
    List<ByteBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      buffers.add(ByteBuffer.wrap(bytes(i, i % 7)));
    }
    buffers.add(ByteBuffer.allocateDirect(5_000_000).put(bytes(1, 5_000_000)).flip());
    buffers.add(ByteBuffer.wrap(bytes(2, 3_000), 1_000, 500));
    buffers.add(ByteBuffer.wrap(bytes(3, 3_000)).position(100).slice().asReadOnlyBuffer());
    Body body = Body.of(buffers);
    mustCreate(store(), "a/created", body.toArray());
    assertThat(store().putIfAbsent("a/gathered", body)).isEqualTo(PutOutcome.CREATED);
    store().put("a/put", body);
    for (String key : List.of("a/created", "a/gathered", "a/put")) {
      assertThat(store().read(key).map(ByteBuffer.wrap(body.toArray())::equals)).contains(true);
    }
  }

  @Test
  default void aBodyCanBePutAgain() throws IOException {
    Body body = Body.of(ByteBuffer.wrap(bytes(1, 100)), ByteBuffer.wrap(bytes(2, 100)));
    for (int i = 0; i < 3; i++) {
      assertThat(store().putIfAbsent("a/" + i, body)).isEqualTo(PutOutcome.CREATED);
      store().put("b/" + i, body);
      assertThat(read(store(), "a/" + i)).contains(body.toArray());
      assertThat(read(store(), "b/" + i)).contains(body.toArray());
    }
  }

  @Test
  default void otherProcessesSeeAPutAtOnce() throws IOException {
    try (ObjectStore other = open()) {
      for (int i = 0; i < 50; i++) {
        String key = "a/" + i;
        assertThat(other.read(key)).isEmpty();
        mustCreate(store(), key, bytes(i, 100));
        assertThat(read(other, key)).contains(bytes(i, 100));
        assertThat(StoreUnderTest.keys(other, "a/")).hasSize(i + 1).contains(key);
        assertThat(other.putIfAbsent(key, Body.of(bytes(1, 1)))).isEqualTo(PutOutcome.OCCUPIED);
        store().put(key, Body.of(bytes(-i, 50)));
        assertThat(read(other, key)).contains(bytes(-i, 50));
      }
    }
  }
}
