// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import io.lakestream.format.Boundary;
import io.lakestream.format.CommitKind;
import io.lakestream.format.Id128;
import io.lakestream.format.Manifest;
import java.util.Optional;

/**
 * Takes back an announced trim above {@code step}, for a promise whose object is there already.
 * Whoever announced it, and read the promises perhaps before, may not trim then; whoever announces
 * later reads them after. Done when no trim above the step is announced: withdrawn, or carried out.
 * The head's first step tells which.
 *
 * @param commitId a random id
 * @param step the step that is promised
 */
public record WithdrawTrimChange(Id128 commitId, long step) implements Change {

  @Override
  public CommitKind kind() {
    return CommitKind.TRIM;
  }

  @Override
  public boolean isDone(Manifest head) {
    return head.header().trim().filter(intent -> intent.step() > step).isEmpty();
  }

  @Override
  public Optional<Manifest> apply(Manifest base, Boundary boundary) {
    Manifest next = successor(base, boundary, "", 0, base.producers());
    return Optional.of(next.withHeader(next.header().withTrim(Optional.empty())));
  }
}
