// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import io.lakestream.store.ListPage;
import io.lakestream.store.ObjectEntry;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A listing in an order of its own, in small pages, some of them empty though more follow. Each
 * page is made of what is there when it is asked for, so what is put or deleted meanwhile is in the
 * listing or not, as its place in the order has it.
 *
 * @param seed decides the order and the lengths of the pages
 * @param keysMax keys of a page, at most
 * @param page number of the page, from 0
 * @param after the last key of the pages before, empty if they had none
 */
record ShuffledListing(long seed, int keysMax, int page, String after) {
  private static final String PREFIX = "shuffled";

  /** Places that the order spreads keys over; those of one place are ordered by name. */
  private record Place(long number, String key) {}

  static ShuffledListing start(long seed, int keysMax) {
    return new ShuffledListing(seed, keysMax, 0, "");
  }

  /** The listing that a continuation belongs to, if it is a shuffled one. */
  static Optional<ShuffledListing> of(String continuation) {
    String[] parts = continuation.split(":", 5);
    return parts.length == 5 && parts[0].equals(PREFIX)
        ? Optional.of(
            new ShuffledListing(
                Long.parseLong(parts[1]),
                Integer.parseInt(parts[2]),
                Integer.parseInt(parts[3]),
                parts[4]))
        : Optional.empty();
  }

  private String continuation() {
    return String.format(Locale.ROOT, "%s:%d:%d:%d:%s", PREFIX, seed, keysMax, page, after);
  }

  /** The page, of what the store has now. */
  ListPage of(ObjectStore store, String prefix) throws IOException {
    List<ObjectEntry> rest = rest(store, prefix);
    int length = new SplittableRandom(seed + page).nextInt(keysMax + 1);
    if (length >= rest.size()) {
      return new ListPage(rest, Optional.empty());
    }
    List<ObjectEntry> entries = rest.subList(0, length);
    String last = length == 0 ? after : entries.get(length - 1).key();
    ShuffledListing next = new ShuffledListing(seed, keysMax, page + 1, last);
    return new ListPage(entries, Optional.of(next.continuation()));
  }

  private List<ObjectEntry> rest(ObjectStore store, String prefix) throws IOException {
    List<ObjectEntry> rest = new ArrayList<>();
    Comparator<Place> order = Comparator.comparingLong(Place::number).thenComparing(Place::key);
    Optional<String> next = Optional.empty();
    do {
      ListPage all = store.list(prefix, next);
      for (ObjectEntry entry : all.entries()) {
        if (after.isEmpty() || order.compare(place(entry.key()), place(after)) > 0) {
          rest.add(entry);
        }
      }
      next = all.next();
    } while (next.isPresent());
    rest.sort(Comparator.comparing(entry -> place(entry.key()), order));
    return rest;
  }

  private Place place(String key) {
    return new Place(new SplittableRandom(seed ^ key.hashCode()).nextLong(), key);
  }
}
