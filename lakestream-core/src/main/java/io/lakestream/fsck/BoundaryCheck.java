// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.format.Boundary;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.Names;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.CheckReport.Invariant;
import java.io.IOException;
import java.util.Optional;
import java.util.TreeMap;

/** The boundary chain: contiguous from 1, readable, never falling. */
final class BoundaryCheck {
  private final ManifestLog log;
  private final Findings findings;
  private final Meanwhile meanwhile;
  private final TreeMap<Long, Boundary> chain = new TreeMap<>();
  private long lastIndex;

  BoundaryCheck(ManifestLog log, Findings findings, Meanwhile meanwhile) {
    this.log = log;
    this.findings = findings;
    this.meanwhile = meanwhile;
  }

  void run(Listing listing) throws IOException, InterruptedException {
    Tally all = new Tally();
    Numbers numbers = new Numbers();
    listing.visit(
        Names.BOUNDARIES,
        entry -> {
          all.add(entry);
          Names.boundaryOf(entry.key()).ifPresent(numbers::add);
        });
    listing.count(all);
    for (Numbers.Gap gap : numbers.gaps(1, this::isPresent)) {
      findings.problem(
          Subject.lasting(Invariant.I1, Names.boundary(gap.first())),
          gap.first() == gap.last()
              ? "is missing from the chain of boundaries"
              : "and all up to %d are missing from the chain of boundaries".formatted(gap.last()));
    }
    for (long index : numbers.from(1)) {
      Optional<Boundary> boundary =
          findings.expect(
              Subject.lasting(Invariant.I1, Names.boundary(index)), () -> read(log, index));
      if (boundary.isPresent()) {
        add(boundary.get());
      }
      lastIndex = index;
    }
  }

  private boolean isPresent(long index) throws IOException {
    return log.store().size(Names.boundary(index)).isPresent();
  }

  private static Optional<Boundary> read(ManifestLog log, long index) throws IOException {
    return log.store()
        .read(Names.boundary(index))
        .map(bytes -> Boundary.decode(index, log.namespace(), bytes));
  }

  private void add(Boundary boundary) throws IOException {
    if (!chain.isEmpty() && boundary.version() < chain.lastEntry().getValue().version()) {
      Boundary before = chain.lastEntry().getValue();
      findings.problem(
          Subject.lasting(Invariant.I9, Names.boundary(boundary.index())),
          "is version %d, lower than boundary %d, which is version %d"
              .formatted(boundary.version(), before.index(), before.version()));
    }
    chain.put(boundary.index(), boundary);
    meanwhile.reached(boundary);
  }

  /**
   * Compares the boundary that a version's committer knew with the chain.
   *
   * @return what is wrong, or empty
   */
  Optional<String> contradiction(ManifestHeader header) throws IOException {
    Boundary known = header.boundary();
    Boundary found = chain.get(known.index());
    if (known.index() == 0 || known.equals(found)) {
      return Optional.empty();
    }
    if (found == null && known.index() > lastIndex) {
      return isPresent(known.index()) ? Optional.empty() : Optional.of(lost(known));
    }
    return found == null
        ? Optional.empty() // Missing or damaged, and so a problem already.
        : Optional.of(
            "was committed under boundary %d at version %d, but that is at version %d"
                .formatted(known.index(), known.version(), found.version()));
  }

  private static String lost(Boundary known) {
    return "was committed under boundary %d at version %d, but the chain does not reach it: %s"
        .formatted(known.index(), known.version(), "its newest boundaries are lost");
  }
}
