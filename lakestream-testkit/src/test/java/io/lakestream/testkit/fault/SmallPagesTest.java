// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.runtime.Environment;
import io.lakestream.store.Body;
import io.lakestream.store.ListPage;
import io.lakestream.store.Listings;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.ObjectEntry;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.store.TransientStoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A listing in small pages and in any order keeps what a listing promises, and no more. */
final class SmallPagesTest {
  private static final String PREFIX = "a:/";

  private final MemoryStore memory = new MemoryStore();
  private final Faults faults = new Faults(new SplittableRandom(1));
  private final ObjectStore store =
      new FaultyStore(memory, faults, Environment.system(), Environment.system(), () -> {});

  private void small(long seed, int keysMax) {
    faults.heal();
    faults.add(FaultRule.often(Operation.LIST, "", 1, new Fault.SmallPages(seed, keysMax)));
  }

  private void put(int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      memory.put(PREFIX + i, Body.of(new byte[i]));
    }
  }

  private static List<String> keys(ListPage page) {
    return page.entries().stream().map(ObjectEntry::key).toList();
  }

  private List<ListPage> pages() throws IOException {
    List<ListPage> pages = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      pages.add(store.list(PREFIX, next));
      next = pages.get(pages.size() - 1).next();
    } while (next.isPresent());
    return pages;
  }

  @Test
  void everyObjectIsInOnePageWithItsLength() throws IOException {
    put(0, 50);
    memory.put("b", Body.of(new byte[1]));
    Set<List<String>> orders = new LinkedHashSet<>();
    boolean isAnyPageEmpty = false;
    for (long seed = 0; seed < 20; seed++) {
      small(seed, 3);
      List<ObjectEntry> entries = new ArrayList<>();
      for (ListPage page : pages()) {
        assertThat(page.entries()).hasSizeLessThanOrEqualTo(3);
        isAnyPageEmpty |= page.entries().isEmpty();
        entries.addAll(page.entries());
      }
      assertThat(entries)
          .containsExactlyInAnyOrderElementsOf(memory.list(PREFIX, Optional.empty()).entries());
      orders.add(entries.stream().map(ObjectEntry::key).toList());
      assertThat(Listings.keys(store, PREFIX)).isEqualTo(Listings.keys(memory, PREFIX));
    }
    assertThat(orders).hasSize(20);
    assertThat(isAnyPageEmpty).isTrue();
  }

  @Test
  void whatComesAndGoesMeanwhileIsThereOrNotAndTheOthersAreThereOnce() throws IOException {
    boolean isNewSeen = false;
    boolean isNewMissed = false;
    for (long seed = 0; seed < 20; seed++) {
      small(seed, 3);
      assertThat(memory.delete(Listings.keys(memory, PREFIX))).isEmpty();
      put(0, 20);
      ListPage first = store.list(PREFIX, Optional.empty());
      put(20, 40);
      Set<String> gone = new TreeSet<>();
      for (int i = 0; i < 10; i++) {
        gone.add(PREFIX + i);
      }
      assertThat(memory.delete(List.copyOf(gone))).isEmpty();
      List<String> listed = new ArrayList<>(keys(first));
      Optional<String> next = first.next();
      while (next.isPresent()) {
        ListPage page = store.list(PREFIX, next);
        listed.addAll(keys(page));
        next = page.next();
      }
      assertThat(listed).doesNotHaveDuplicates();
      for (int i = 10; i < 20; i++) {
        assertThat(listed).contains(PREFIX + i);
      }
      for (int i = 20; i < 40; i++) {
        boolean isSeen = listed.contains(PREFIX + i);
        isNewSeen |= isSeen;
        isNewMissed |= !isSeen;
      }
    }
    assertThat(isNewSeen).isTrue();
    assertThat(isNewMissed).as("put behind the first page").isTrue();
  }

  @Test
  void aListingGoesOnAsItBegan() throws IOException {
    put(0, 10);
    small(1, 1);
    ListPage first = store.list(PREFIX, Optional.empty());
    faults.heal();
    faults.add(FaultRule.once(Operation.LIST, "", new Fault.Throttled()));
    assertThatThrownBy(() -> store.list(PREFIX, first.next()))
        .isInstanceOf(TransientStoreException.class);
    List<String> listed = new ArrayList<>(keys(first));
    Optional<String> next = first.next();
    while (next.isPresent()) {
      ListPage page = store.list(PREFIX, next);
      assertThat(page.entries()).hasSizeLessThanOrEqualTo(1);
      listed.addAll(keys(page));
      next = page.next();
    }
    assertThat(listed).containsExactlyInAnyOrderElementsOf(Listings.keys(memory, PREFIX));
  }

  @Test
  void aListingOfNothingEnds() throws IOException {
    small(1, 3);
    assertThat(pages()).hasSize(1).allMatch(page -> page.entries().isEmpty());
  }

  @Test
  void pagesThatNeverEndAreRefused() {
    assertThatThrownBy(() -> new Fault.SmallPages(1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
