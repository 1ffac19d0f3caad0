// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import io.lakestream.format.Boundary;
import io.lakestream.format.Hint;
import io.lakestream.format.ManifestVersion;
import io.lakestream.format.Names;
import io.lakestream.model.DataLoss;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the head. Safe for use by several threads.
 *
 * <p>Why what it returns may be believed. Versions are contiguous above the boundary, so the newest
 * is found by probing numbers. Old versions are deleted, though, and a writer that slept may create
 * a deleted one again. Such a version is at or below the boundary, which was raised before anything
 * was deleted and never falls; so whoever reads the boundary <i>after</i> he read a version, and
 * finds the version above it, has a version that was never deleted. A boundary read before proves
 * nothing.
 *
 * @param <M> how much of a version a probe reads
 */
public final class HeadSearch<M extends ManifestVersion> {
  /** Boundaries may rise while we look; more often than this is not reclamation any more. */
  private static final int SEARCHES_MAX = 100;

  private final ManifestLog log;
  private final Supplier<M> empty;
  private final NewestSearch<M> search;

  HeadSearch(ManifestLog log, Supplier<M> empty, NewestSearch.Probe<M> probe) {
    this.log = log;
    this.empty = empty;
    this.search = new NewestSearch<>(probe);
  }

  /**
   * The head, for somebody who knows nothing but perhaps a version that existed. With a hint at
   * most four versions old this takes five requests, and another for a boundary that the head's
   * writer did not know.
   *
   * @param known a version that existed, or 0
   */
  public CheckedHead<M> find(long known) throws IOException {
    Hint hint = log.hint().orElse(Hint.NONE);
    long start = Math.max(known, hint.version());
    if (start > 0) {
      Optional<NewestSearch.Found<M>> found = search.near(start);
      if (found.isPresent()) {
        Optional<CheckedHead<M>> head = check(found.get().value());
        if (head.isPresent()) {
          return head.get();
        }
      }
    }
    return findAbove(log.boundaries().find(hint.boundaryIndex()));
  }

  /**
   * The head, for somebody who knows one that was: one request if nothing is above it. In that case
   * the boundary is not read again, so a head that died with all its successors deleted is noticed
   * by {@link #find} and {@link #follow} only.
   */
  public CheckedHead<M> advance(CheckedHead<M> known) throws IOException {
    Optional<NewestSearch.Found<M>> newer = search.above(known.version());
    if (newer.isEmpty()) {
      return known;
    }
    Optional<CheckedHead<M>> head = check(newer.get().value());
    return head.isPresent() ? head.get() : findAbove(log.boundaries().newest(known.boundary()));
  }

  /**
   * As {@link #advance}, but never a head that died with all its successors deleted, which looks
   * like one without a successor: two requests if nothing is above it.
   */
  public CheckedHead<M> follow(CheckedHead<M> known) throws IOException {
    CheckedHead<M> newer = advance(known);
    boolean isSame = newer.version() == known.version();
    return isSame
            && log.boundaries().newest(known.boundary()).version() >= Math.max(1, known.version())
        ? find(0)
        : newer;
  }

  /** A version read just now as a head, if it is above the boundary read now. */
  public Optional<CheckedHead<M>> check(M manifest) throws IOException {
    Boundary boundary = log.boundaries().newest(manifest.header().boundary());
    return manifest.version() > boundary.version()
        ? Optional.of(new CheckedHead<>(manifest, boundary))
        : Optional.empty();
  }

  private CheckedHead<M> findAbove(Boundary start) throws IOException {
    Boundary boundary = start;
    for (int i = 0; i < SEARCHES_MAX; i++) {
      Optional<NewestSearch.Found<M>> found = search.above(boundary.version());
      M manifest = found.map(NewestSearch.Found::value).orElseGet(empty);
      Boundary after = log.boundaries().newest(boundary);
      if (manifest.version() > after.version() || (after.version() == 0 && found.isEmpty())) {
        return new CheckedHead<>(manifest, after);
      }
      if (found.isEmpty() && after.equals(boundary)) {
        throw new DataLoss(
            "%s is missing, though the first version above boundary %d is never deleted; restore it"
                .formatted(Names.manifest(boundary.version() + 1), boundary.version()));
      }
      boundary = after;
    }
    throw new IOException("the boundary moved %d times during one search".formatted(SEARCHES_MAX));
  }
}
