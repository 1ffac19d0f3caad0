// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import io.lakestream.format.Boundary;
import io.lakestream.format.CommitKind;
import io.lakestream.format.FormatLimits;
import io.lakestream.format.Id128;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.SkipSet;
import io.lakestream.format.StreamTables.SkipRange;
import io.lakestream.model.InvalidRequest;
import java.util.Optional;

/**
 * Steps are to be skipped, from the next start of a job on. A sealed stream takes it too, since bad
 * steps are often found once all is written.
 *
 * <p>Done when all of the steps are skipped or gone, whoever saw to it: a repeat would mean the
 * same. A range goes from the tables only when its steps do, so any later head answers.
 *
 * @param commitId a random id
 * @param first the first step to skip
 * @param end one past the last
 * @param reason why, for people
 */
public record SkipChange(Id128 commitId, long first, long end, String reason) implements Change {
  /** Refuses what no stream allows. */
  public SkipChange {
    if (first < 0 || end <= first) {
      throw new InvalidRequest(
          "there are no steps %d:%d to skip: give a first step from 0 on and, as the end, one past"
                  .formatted(first, end)
              + " the last, which is higher");
    }
    int length = reason.isBlank() ? 0 : reason.length();
    boolean isLine = reason.chars().noneMatch(Character::isISOControl);
    if (length == 0 || length > FormatLimits.SKIP_REASON_MAX || !isLine) {
      throw new InvalidRequest(
          "the reason of a skip is one line of 1 to %d characters, %s: say why the steps are bad"
              .formatted(
                  FormatLimits.SKIP_REASON_MAX,
                  isLine ? "not " + length : "without control characters"));
    }
  }

  @Override
  public CommitKind kind() {
    return CommitKind.SKIP;
  }

  @Override
  public boolean isDone(Manifest head) {
    SkipSet all = SkipSet.of(head.tables().skips(), head.version());
    return all.covers(Math.max(first, head.header().firstStep()), end);
  }

  /**
   * Refuses steps that the stream does not have any more, or not yet.
   *
   * @throws InvalidRequest if one is below the first step or beyond the head
   */
  public void requireThere(ManifestHeader header) {
    if (first < header.firstStep()) {
      throw new InvalidRequest(
          "steps %d to %d cannot be skipped: the first step there is now is %d; start from it"
              .formatted(first, end - 1, header.firstStep()));
    }
    if (end > header.nextStep()) {
      throw new InvalidRequest(
          ("steps %d to %d cannot be skipped: the stream ends before step %d, and what is not"
                  + " written yet may be good")
              .formatted(first, end - 1, header.nextStep()));
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws InvalidRequest if the stream does not have the steps any more or not yet, or has no
   *     room for another range
   */
  @Override
  public Optional<Manifest> apply(Manifest base, Boundary boundary) {
    requireThere(base.header());
    SkipRange range = new SkipRange(first, end - 1, reason, base.version() + 1);
    Manifest candidate =
        successor(base, boundary, "", 0, base.producers())
            .withTables(base.tables().withSkip(range));
    if (candidate.bytes() <= FormatLimits.MANIFEST_BYTES_FREE) {
      return Optional.of(candidate);
    }
    return Change.waitForRoom(base, "a skip range");
  }
}
