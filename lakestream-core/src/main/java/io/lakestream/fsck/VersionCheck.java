// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.format.Hint;
import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.CheckReport;
import io.lakestream.model.CheckReport.Invariant;
import io.lakestream.model.LakestreamException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The manifest versions above the boundary: contiguous, readable, and each a successor of the one
 * before. Also chooses the head that all else is judged by: the newest version that was listed and
 * can be read, above the boundary read after it. A search by probing would not do, since it takes a
 * gap for the end.
 */
final class VersionCheck {
  /** The boundary may pass all that was listed; more often than this is not reclamation. */
  private static final int LISTINGS_MAX = 20;

  private final ManifestLog log;
  private final Findings findings;
  private final Meanwhile meanwhile;
  private final BoundaryCheck boundaries;
  private final CheckReport.Listener listener;
  private final TreeSet<Long> unreadable = new TreeSet<>();
  private final LeftChunks left = new LeftChunks();
  private Numbers numbers = new Numbers();
  private long hinted;
  private long checked;

  VersionCheck(
      ManifestLog log,
      Findings findings,
      Meanwhile meanwhile,
      BoundaryCheck boundaries,
      CheckReport.Listener listener) {
    this.log = log;
    this.findings = findings;
    this.meanwhile = meanwhile;
    this.boundaries = boundaries;
    this.listener = listener;
  }

  /** What left the tails of the versions, for comparison with segments. */
  LeftChunks left() {
    return left;
  }

  /** Live versions that could be read. */
  long checked() {
    return checked;
  }

  /** Finds the head; an empty stream if there is none. */
  Manifest findHead(Listing listing) throws IOException, InterruptedException {
    readHint();
    for (int i = 0; i < LISTINGS_MAX; i++) {
      Tally all = new Tally();
      Tally others = new Tally();
      numbers = list(listing, all, others);
      Optional<Manifest> head = newestReadable();
      long boundary = meanwhile.boundary().version();
      if (head.isPresent() ? head.get().version() > boundary : isSettled(boundary)) {
        listing.count(all);
        noteOthers(others);
        Manifest found = head.orElseGet(Manifest::empty);
        checkEnd(found, boundary);
        meanwhile.reached(found);
        return found;
      }
    }
    throw new IOException("the boundary passed %d listings of versions".formatted(LISTINGS_MAX));
  }

  private static Numbers list(Listing listing, Tally all, Tally others)
      throws IOException, InterruptedException {
    Numbers numbers = new Numbers();
    listing.visit(
        Names.MANIFESTS,
        entry -> {
          OptionalLong version = Names.manifestOf(entry.key());
          version.ifPresent(numbers::add);
          if (version.isEmpty() && !entry.key().equals(Names.HINT)) {
            others.add(entry);
          }
          all.add(entry);
        });
    return numbers;
  }

  /** Whether it is a fact that no version above a boundary can be read. */
  private boolean isSettled(long boundary) {
    return boundary == 0 || numbers.downTo(boundary).stream().allMatch(unreadable::contains);
  }

  private Optional<Manifest> newestReadable() throws IOException, InterruptedException {
    for (long version : numbers.downTo(meanwhile.boundary().version())) {
      Optional<Manifest> manifest = unreadable.contains(version) ? Optional.empty() : read(version);
      if (manifest.isPresent()) {
        return manifest;
      }
    }
    return Optional.empty();
  }

  private Optional<Manifest> read(long version) throws IOException, InterruptedException {
    Optional<Manifest> manifest =
        findings.expect(Subject.version(Invariant.I1, version), () -> log.read(version));
    if (manifest.isEmpty()) {
      unreadable.add(version);
    }
    return manifest;
  }

  private void readHint() throws IOException {
    Optional<ByteBuffer> bytes = log.store().read(Names.HINT);
    try {
      hinted = bytes.map(hint -> Hint.decode(log.namespace(), hint).version()).orElse(0L);
    } catch (LakestreamException e) {
      findings.note(
          "the hint to the newest version is damaged; nobody trusts it, and a commit writes it"
              + " anew",
          List.of(Names.HINT));
    }
  }

  private void noteOthers(Tally others) throws IOException {
    if (!others.isEmpty()) {
      findings.note(
          "%d objects that are no versions lie among them".formatted(others.objects()),
          others.examples());
    }
    List<Long> dead = numbers.upTo(meanwhile.boundary().version());
    if (!dead.isEmpty()) {
      findings.note(
          "%d versions at or below the boundary wait for their deletion".formatted(dead.size()),
          dead.stream().limit(Tally.EXAMPLES_MAX).map(Names::manifest).toList());
    }
  }

  /** Whether the stream has an end where versions are known to have been. */
  private void checkEnd(Manifest head, long boundary) throws IOException {
    long newest = numbers.downTo(0).stream().findFirst().orElse(0L);
    if (hinted > newest && hinted > boundary) {
      findings.problem(
          Subject.version(Invariant.I1, hinted),
          "is missing, though the hint says that it was there: the newest versions are lost");
    } else if (boundary > 0 && newest <= boundary) {
      findings.problem(
          Subject.version(Invariant.I1, boundary + 1),
          "is missing, though the first version above the boundary is never deleted");
    } else if (head.version() == 0 && newest > 0) {
      findings.note("no live version can be read, so steps and batches are not checked", List.of());
    }
  }

  /** Checks all live versions up to the head. */
  void run(Manifest head) throws IOException, InterruptedException {
    long first = meanwhile.boundary().version() + 1;
    reportGaps(first, head.version());
    @Nullable Manifest before = null;
    for (long version : numbers.from(first)) {
      if (version > head.version()) {
        break;
      }
      Optional<Manifest> manifest = Optional.empty();
      if (version == head.version()) {
        manifest = Optional.of(head);
      } else if (!unreadable.contains(version)) {
        manifest = read(version);
      }
      if (manifest.isPresent()) {
        check(before, manifest.get());
        before = manifest.get();
        checked++;
      }
      listener.progress("versions", version - first + 1, head.version() - first + 1);
    }
  }

  private void reportGaps(long first, long last) throws IOException {
    for (Numbers.Gap gap : numbers.gaps(first, this::isPresent)) {
      if (gap.first() < last) {
        findings.problem(
            new Subject(Invariant.I1, Names.manifest(gap.first()), gap.last(), Long.MAX_VALUE),
            gap.first() == gap.last()
                ? "is missing, though there are newer versions"
                : "and all up to version %d are missing, though there are newer versions"
                    .formatted(gap.last()));
      }
    }
  }

  private boolean isPresent(long version) throws IOException {
    return log.store().size(Names.manifest(version)).isPresent();
  }

  private void check(@Nullable Manifest before, Manifest manifest) throws IOException {
    List<Succession.Breach> breaches =
        new ArrayList<>(
            before == null
                ? Succession.checkFirst(manifest)
                : Succession.check(before, manifest, left));
    breaches.addAll(Succession.checkSkips(manifest));
    Succession.checkBounds(manifest).ifPresent(breaches::add);
    boundaries
        .contradiction(manifest.header())
        .ifPresent(what -> breaches.add(new Succession.Breach(Invariant.I9, what)));
    for (Succession.Breach breach : breaches) {
      findings.problem(Subject.version(breach.invariant(), manifest.version()), breach.what());
    }
  }
}
