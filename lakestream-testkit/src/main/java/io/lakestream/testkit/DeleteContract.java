// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import static io.lakestream.testkit.StoreUnderTest.bytes;
import static io.lakestream.testkit.StoreUnderTest.keys;
import static io.lakestream.testkit.StoreUnderTest.mustCreate;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is gone after a delete, and what is not. */
interface DeleteContract extends StoreUnderTest {

  @Test
  default void aDeletedObjectIsGoneForEverybody() throws IOException {
    mustCreate(store(), "a/k", bytes(1, 10));
    mustCreate(store(), "a/l", bytes(1, 10));
    assertThat(store().delete(List.of("a/k"))).isEmpty();
    try (ObjectStore other = open()) {
      for (ObjectStore each : List.of(store(), other)) {
        assertThat(each.read("a/k")).isEmpty();
        assertThat(each.size("a/k")).isEmpty();
        assertThat(keys(each, "")).containsExactly("a/l");
      }
    }
  }

  @Test
  default void anAbsentObjectCountsAsDeleted() throws IOException {
    mustCreate(store(), "a/k", bytes(1, 10));
    assertThat(store().delete(List.of("absent", "a/absent", "absent/absent"))).isEmpty();
    assertThat(store().delete(List.of("a/k"))).isEmpty();
    assertThat(store().delete(List.of("a/k"))).isEmpty();
    assertThat(keys(store(), "")).isEmpty();
  }

  @Test
  default void manyObjectsAreDeletedAtOnceAbsentOnesAmongThem() throws IOException {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 2_100; i++) {
      keys.add("a/" + i % 7 + "/" + i);
      if (i % 10 == 0) {
        mustCreate(store(), keys.get(i), bytes(i, 1));
      }
    }
    mustCreate(store(), "a/stays", bytes(1, 1));
    assertThat(store().delete(keys)).isEmpty();
    assertThat(keys(store(), "")).containsExactly("a/stays");
  }

  @Test
  default void oneKeyMayBeGivenTwice() throws IOException {
    mustCreate(store(), "a/k", bytes(1, 1));
    assertThat(store().delete(List.of("a/k", "a/l", "a/k"))).isEmpty();
    assertThat(keys(store(), "")).isEmpty();
  }

  @Test
  default void deletingNothingDoesNothing() throws IOException {
    mustCreate(store(), "a/k", bytes(1, 1));
    assertThat(store().delete(List.of())).isEmpty();
    assertThat(keys(store(), "")).containsExactly("a/k");
  }
}
