// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import static io.lakestream.testkit.StoreUnderTest.bytes;
import static io.lakestream.testkit.StoreUnderTest.keys;
import static io.lakestream.testkit.StoreUnderTest.list;
import static io.lakestream.testkit.StoreUnderTest.mustCreate;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.store.Body;
import io.lakestream.store.ListPage;
import io.lakestream.store.ObjectEntry;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** What a listing holds, however many pages it takes and whatever happens meanwhile. */
interface ListContract extends StoreUnderTest {
  /** More than two pages of any store known, and no multiple of one. */
  int MANY = 2_617;

  @Test
  default void aListingHasTheSizesOfAllObjectsBelowItsPrefix() throws IOException {
    mustCreate(store(), "a/k", bytes(1, 10));
    mustCreate(store(), "a/b/c/d", bytes(1, 0));
    mustCreate(store(), "a/b/c2", bytes(1, 100_000));
    mustCreate(store(), "top", bytes(1, 1));
    assertThat(list(store(), "a/"))
        .containsExactlyInAnyOrder(
            new ObjectEntry("a/k", 10),
            new ObjectEntry("a/b/c/d", 0),
            new ObjectEntry("a/b/c2", 100_000));
    assertThat(list(store(), "")).hasSize(4).contains(new ObjectEntry("top", 1));
  }

  @Test
  default void nothingIsBelowAPrefixWithoutObjects() throws IOException {
    assertThat(list(store(), "")).isEmpty();
    assertThat(list(store(), "a/b/")).isEmpty();
    mustCreate(store(), "a/b", bytes(1, 1));
    assertThat(list(store(), "a/b/")).isEmpty();
    assertThat(list(store(), "a/c/")).isEmpty();
  }

  @Test
  default void aPrefixEndsAtItsSlash() throws IOException {
    List<String> all = List.of("a/k", "ab/k", "a-/k", "a0", "aa", "b/a/k", "A/k", "a/k2");
    for (String key : all) {
      mustCreate(store(), key, bytes(1, 1));
    }
    assertThat(keys(store(), "a/")).containsExactly("a/k", "a/k2");
    assertThat(keys(store(), "ab/")).containsExactly("ab/k");
    assertThat(keys(store(), "b/")).containsExactly("b/a/k");
    assertThat(keys(store(), "")).containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  default void everyObjectIsInExactlyOnePage() throws Exception {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      expected.add(i % 3 == 0 ? "many/" + i : "many/" + i % 11 + "-/" + i);
    }
    createAll(expected);
    mustCreate(store(), "manya", bytes(1, 1));
    assertThat(keys(store(), "many/")).isEqualTo(expected.stream().sorted().toList());
    assertThat(store().list("many/", Optional.empty()).next()).isPresent();
    assertThat(store().delete(expected)).isEmpty();
    assertThat(keys(store(), "")).containsExactly("manya");
  }

  @Test
  default void whatStaysIsListedOnceWhileOthersComeAndGo() throws Exception {
    List<String> staying = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      staying.add("busy/s" + i);
    }
    createAll(staying);
    try (ObjectStore other = open()) {
      List<String> seen = new ArrayList<>();
      Optional<String> next = Optional.empty();
      for (int round = 0; round == 0 || next.isPresent(); round++) {
        for (String name : List.of("a", "s1", "s2", "t")) {
          mustCreate(other, "busy/" + name + "-" + round, bytes(1, 1));
          assertThat(other.delete(List.of("busy/" + name + "-" + (round - 1)))).isEmpty();
        }
        ListPage page = store().list("busy/", next);
        page.entries().forEach(entry -> seen.add(entry.key()));
        next = page.next();
      }
      assertThat(seen).doesNotHaveDuplicates().containsAll(staying);
    }
  }

  @Test
  default void aListingShowsEveryPutAndDeleteBeforeIt() throws IOException {
    try (ObjectStore other = open()) {
      for (int i = 0; i < 50; i++) {
        mustCreate(store(), "a/" + i, bytes(1, i));
        assertThat(list(other, "a/")).contains(new ObjectEntry("a/" + i, i)).hasSize(1);
        store().put("a/" + i, Body.of(bytes(1, i + 1)));
        assertThat(list(other, "a/")).containsExactly(new ObjectEntry("a/" + i, i + 1));
        assertThat(store().delete(List.of("a/" + i))).isEmpty();
        assertThat(list(other, "a/")).isEmpty();
      }
    }
  }

  private void createAll(List<String> keys) throws Exception {
    int threads = 8;
    List<Callable<Integer>> parts = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      int first = thread;
      parts.add(
          () -> {
            for (int i = first; i < keys.size(); i += threads) {
              mustCreate(store(), keys.get(i), bytes(i, 3));
            }
            return first;
          });
    }
    assertThat(Together.run(parts)).hasSize(threads);
  }
}
