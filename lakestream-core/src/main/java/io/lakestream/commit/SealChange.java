// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import io.lakestream.format.Boundary;
import io.lakestream.format.CommitKind;
import io.lakestream.format.Id128;
import io.lakestream.format.Manifest;
import io.lakestream.format.ProducerEntry;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.SealMode;
import java.util.List;
import java.util.Optional;

/**
 * The stream gets its end, as a fact that every rank sees at the same step.
 *
 * @param commitId a random id
 * @param term the term of the producer that seals, empty if an operator does
 * @param mode whether other active producers prevent it
 */
public record SealChange(Id128 commitId, Optional<Term> term, SealMode mode) implements Change {

  @Override
  public CommitKind kind() {
    return CommitKind.SEAL;
  }

  @Override
  public boolean isDone(Manifest head) {
    return head.header().isSealed();
  }

  @Override
  public Optional<Manifest> apply(Manifest base, Boundary boundary) {
    term.ifPresent(own -> own.entryIn(base));
    String self = term.map(Term::producer).orElse("");
    List<String> others =
        base.producers().active().stream()
            .map(ProducerEntry::id)
            .filter(id -> !id.equals(self))
            .toList();
    if (!others.isEmpty() && mode != SealMode.FORCED) {
      throw new InvalidRequest(
          "the stream cannot be sealed while producers are active (%d: %s); close or retire them,"
                  .formatted(others.size(), String.join(", ", others))
              + " or force it");
    }
    Manifest next =
        successor(base, boundary, self, term.map(Term::epoch).orElse(0L), base.producers());
    return Optional.of(next.withHeader(next.header().sealed()));
  }
}
