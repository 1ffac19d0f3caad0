// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import io.lakestream.format.Boundary;
import io.lakestream.format.Names;
import io.lakestream.model.CorruptObject;
import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

/**
 * The chain of boundaries: tiny numbered objects, each higher than the one before, none ever
 * deleted. Needs no compare-and-swap, and two reclaimers cannot lower it. Safe for use by several
 * threads.
 */
public final class BoundaryChain {
  /** Rivals that raise the boundary before us; more often is not reclamation any more. */
  private static final int RAISES_MAX = 100;

  private final ObjectStore store;
  private final UUID namespace;
  private final NewestSearch<Boundary> search = new NewestSearch<>(this::read);

  BoundaryChain(ObjectStore store, UUID namespace) {
    this.store = store;
    this.namespace = namespace;
  }

  /**
   * The newest boundary, searched from one that is known: one request if there is no newer.
   *
   * @throws CorruptObject if it is lower than the known one, which no writer makes it
   */
  public Boundary newest(Boundary known) throws IOException {
    Optional<NewestSearch.Found<Boundary>> newer = search.above(known.index());
    Boundary newest = newer.map(NewestSearch.Found::value).orElse(known);
    if (newest.version() < known.version()) {
      throw new CorruptObject(
          Names.boundary(newest.index()),
          "its version",
          "at least %d, the one of boundary %d".formatted(known.version(), known.index()),
          Long.toString(newest.version()));
    }
    return newest;
  }

  /** The newest boundary, for somebody who knows none but perhaps that one of an index existed. */
  public Boundary find(long recentIndex) throws IOException {
    if (recentIndex > 0) {
      Optional<NewestSearch.Found<Boundary>> found = search.near(recentIndex);
      if (found.isPresent()) {
        return found.get().value();
      }
    }
    return newest(Boundary.NONE);
  }

  /**
   * Declares all versions up to {@code version} dead. Durable when this returns; only then may
   * anything at or below it be deleted.
   *
   * @param known a boundary to start from
   * @return the newest boundary, at or above {@code version}
   * @throws IOException if the store fails; the boundary may or may not have been raised
   */
  public Boundary raise(Boundary known, long version) throws IOException {
    Boundary newest = newest(known);
    for (int i = 0; i < RAISES_MAX && newest.version() < version; i++) {
      Boundary next = new Boundary(newest.index() + 1, version);
      PutOutcome outcome =
          store.putIfAbsent(Names.boundary(next.index()), Body.of(next.encode(namespace)));
      // Only what is read back counts: an unknown outcome or a rival's boundary is settled by it.
      Boundary found = newest(newest);
      if (outcome == PutOutcome.UNKNOWN && found.index() == newest.index()) {
        throw new IOException(
            "it is not known whether boundary %d was put".formatted(next.index()));
      }
      newest = found;
    }
    if (newest.version() < version) {
      throw new IOException(
          "the boundary was raised by others %d times and is still below %d"
              .formatted(RAISES_MAX, version));
    }
    return newest;
  }

  private Optional<Boundary> read(long index) throws IOException {
    return store.read(Names.boundary(index)).map(bytes -> Boundary.decode(index, namespace, bytes));
  }
}
