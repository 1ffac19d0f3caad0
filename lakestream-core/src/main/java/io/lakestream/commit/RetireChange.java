// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import io.lakestream.format.Boundary;
import io.lakestream.format.CommitKind;
import io.lakestream.format.Id128;
import io.lakestream.format.Manifest;
import io.lakestream.format.ProducerEntry;
import java.util.Optional;

/**
 * A producer ends its term. It leaves the active ones, so that the others do not count it any more;
 * what it published stays known. Also done if the term has ended otherwise, or if there is nothing
 * to do any more because the producer has committed since it was found idle.
 *
 * @param commitId a random id
 * @param term the term
 * @param lastVersion the version of the producer's last commit, or a later one: if it commits after
 *     that, it is not retired
 */
public record RetireChange(Id128 commitId, Term term, long lastVersion) implements Change {

  /** A retirement whatever the producer has committed. */
  public RetireChange(Id128 commitId, Term term) {
    this(commitId, term, Long.MAX_VALUE);
  }

  @Override
  public CommitKind kind() {
    return CommitKind.RETIRE;
  }

  @Override
  public boolean isDone(Manifest head) {
    return !term.isCurrentIn(head) || term.entryIn(head).lastVersion() > lastVersion;
  }

  @Override
  public Optional<Manifest> apply(Manifest base, Boundary boundary) {
    ProducerEntry entry = term.entryIn(base);
    ProducerEntry retired =
        new ProducerEntry(
            entry.id(),
            entry.epoch(),
            entry.nextSeq(),
            entry.offset(),
            base.version() + 1,
            commitId,
            entry.extra());
    return Optional.of(
        successor(
            base, boundary, term.producer(), term.epoch(), base.producers().withRetired(retired)));
  }
}
