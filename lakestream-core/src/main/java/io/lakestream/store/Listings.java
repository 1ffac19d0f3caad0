// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whole listings of what a store has. */
public final class Listings {
  /** A billion objects at a thousand for each page: beyond, a store that never ends. */
  private static final int PAGES_MAX = 1_000_000;

  private Listings() {}

  /**
   * What is done with a page of a listing.
   *
   * @param <X> what it throws, which ends the listing
   */
  @FunctionalInterface
  public interface PageVisitor<X extends Exception> {
    /** Does it; a page may be empty. */
    void visit(List<ObjectEntry> entries) throws X;
  }

  /**
   * All keys that start with a prefix, in their natural order.
   *
   * @param prefix as {@link ObjectStore#list} takes it
   * @throws IOException if the store fails, or the listing does not end
   */
  public static List<String> keys(ObjectStore store, String prefix) throws IOException {
    List<String> keys = new ArrayList<>();
    visit(store, prefix, page -> page.forEach(entry -> keys.add(entry.key())));
    keys.sort(null);
    return keys;
  }

  /**
   * Visits all objects whose key starts with a prefix, page by page, in the order of the store.
   *
   * @param prefix as {@link ObjectStore#list} takes it
   * @throws IOException if the store fails, or the listing does not end
   */
  public static <X extends Exception> void visit(
      ObjectStore store, String prefix, PageVisitor<X> visitor) throws IOException, X {
    Optional<String> next = Optional.empty();
    for (int i = 0; i < PAGES_MAX; i++) {
      ListPage page = store.list(prefix, next);
      visitor.visit(page.entries());
      next = page.next();
      if (next.isEmpty()) {
        return;
      }
    }
    throw new IOException("a listing of '%s' did not end in %d pages".formatted(prefix, PAGES_MAX));
  }
}
