// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Listings are whole, sorted, and end. */
final class ListingsTest {
  private final MemoryStore memory = new MemoryStore();

  /** Lists one object a page, and goes on until {@code pagesMax}. */
  private static final class Pages extends ForwardingStore {
    private final int pagesMax;

    Pages(ObjectStore store, int pagesMax) {
      super(store);
      this.pagesMax = pagesMax;
    }

    @Override
    public ListPage list(String prefix, Optional<String> continuation) {
      int page = continuation.map(Integer::parseInt).orElse(pagesMax);
      return new ListPage(
          List.of(new ObjectEntry(prefix + page, page)),
          page == 1 ? Optional.empty() : Optional.of(Integer.toString(page - 1)));
    }
  }

  @Test
  void keysAreThoseOfAllPagesAndSorted() throws Exception {
    assertThat(Listings.keys(new Pages(memory, 3), "a/")).containsExactly("a/1", "a/2", "a/3");
    assertThat(Listings.keys(memory, "a/")).isEmpty();
  }

  @Test
  void aVisitEndsWithWhatTheVisitorThrows() {
    List<ObjectEntry> visited = new ArrayList<>();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(
            () ->
                Listings.<InterruptedException>visit(
                    new Pages(memory, 3),
                    "a/",
                    page -> {
                      visited.addAll(page);
                      throw new InterruptedException("enough");
                    }));
    assertThat(visited).containsExactly(new ObjectEntry("a/3", 3));
  }

  @Test
  void aListingThatNeverEndsIsAFailure() {
    assertThatIOException()
        .isThrownBy(() -> Listings.<RuntimeException>visit(endless(), "a/", page -> {}))
        .withMessageContaining("'a/' did not end in 1000000 pages");
  }

  private ObjectStore endless() {
    return new Pages(memory, Integer.MAX_VALUE);
  }
}
