// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import io.lakestream.format.Boundary;
import io.lakestream.format.CommitKind;
import io.lakestream.format.Id128;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader;
import java.util.Optional;

/**
 * The second half of a trim: the steps below {@code step} count as gone, as long as the
 * announcement is still one's own. Done when the announcement is not ours any more: it was taken
 * back with the trim, or another trimmer took over. The head tells what was trimmed. Skip ranges of
 * steps that are gone go too.
 *
 * @param commitId a random id
 * @param owner the commit id of the announcement
 * @param step the first step that stays, at most the announced one
 */
public record TrimChange(Id128 commitId, Id128 owner, long step) implements Change {

  @Override
  public CommitKind kind() {
    return CommitKind.TRIM;
  }

  @Override
  public boolean isDone(Manifest head) {
    return head.header().trim().filter(intent -> intent.owner().equals(owner)).isEmpty();
  }

  @Override
  public Optional<Manifest> apply(Manifest base, Boundary boundary) {
    Manifest next = successor(base, boundary, "", 0, base.producers());
    long first = Math.max(step, base.header().firstStep());
    ManifestHeader header = next.header().withFirstStep(first).withTrim(Optional.empty());
    return Optional.of(
        new Manifest(
            header,
            next.chunks(),
            next.tree().trimmedTo(first),
            next.producers(),
            next.tables().withoutSkipsBelow(first),
            next.unknown()));
  }
}
