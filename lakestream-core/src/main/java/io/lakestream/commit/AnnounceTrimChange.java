// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import io.lakestream.format.Boundary;
import io.lakestream.format.CommitKind;
import io.lakestream.format.Id128;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader.TrimIntent;
import java.util.Optional;

/**
 * The first half of a trim: from now on whoever promises a step below {@code step} takes this back
 * first. Whoever announces last is the one who may trim.
 *
 * @param commitId a random id, which also says whose the announcement is
 * @param step the first step that would stay
 */
public record AnnounceTrimChange(Id128 commitId, long step) implements Change {

  @Override
  public CommitKind kind() {
    return CommitKind.TRIM;
  }

  /** Also done if so much was trimmed already and nobody else has announced anything. */
  @Override
  public boolean isDone(Manifest head) {
    return head.header().trim().isPresent()
        ? head.header().trim().get().owner().equals(commitId)
        : head.header().firstStep() >= step;
  }

  @Override
  public Optional<Manifest> apply(Manifest base, Boundary boundary) {
    Manifest next = successor(base, boundary, "", 0, base.producers());
    TrimIntent intent = new TrimIntent(Math.min(step, base.header().nextStep()), commitId);
    return Optional.of(next.withHeader(next.header().withTrim(Optional.of(intent))));
  }
}
