// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import io.lakestream.format.Boundary;
import io.lakestream.format.CommitKind;
import io.lakestream.format.Id128;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.ProducerTable;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.ProducerFenced;
import io.lakestream.model.StreamSealed;
import java.util.Optional;

/**
 * A change that somebody wants to make to the stream: a pure function from a base manifest to a
 * candidate, and a test that any later head answers whether it was made.
 */
public sealed interface Change
    permits AnnounceTrimChange,
        OpenChange,
        PublishChange,
        RetireChange,
        SealChange,
        SkipChange,
        TrimChange,
        WithdrawTrimChange {

  /** Why the version will have been committed. */
  CommitKind kind();

  /** A random id that no other change has: it says whose a version is. */
  Id128 commitId();

  /**
   * Whether a checked head shows that the change was made.
   *
   * @throws ProducerFenced if the head shows that the change can never be made any more
   */
  boolean isDone(Manifest head);

  /**
   * The candidate for the version after {@code base}, or empty if the change cannot be made on this
   * base but may be on another.
   *
   * @param base a manifest that does not show the change done
   * @param boundary the newest boundary that the committer knows
   * @throws ProducerFenced if the producer's term has ended
   * @throws StreamSealed if the stream has its end and the change needs an open one
   */
  Optional<Manifest> apply(Manifest base, Boundary boundary);

  /** The base's successor with other producers and nothing else changed. */
  default Manifest successor(
      Manifest base, Boundary boundary, String committer, long epoch, ProducerTable producers) {
    ManifestHeader header =
        base.header().successor(commitId(), kind(), committer, epoch, boundary, 0);
    return base.withHeader(header).withProducers(producers);
  }

  /** Refuses a base that takes no more batches. */
  static void requireOpenStream(Manifest base) {
    if (base.header().isSealed()) {
      throw new StreamSealed(
          "the stream is sealed: it ends after step %d and takes no more batches"
              .formatted(base.header().nextStep() - 1));
    }
  }

  /**
   * No candidate for now, since it would not fit: room comes with the next segment.
   *
   * @param what what there is no room for
   * @throws InvalidRequest if there is nothing to seal
   */
  static Optional<Manifest> waitForRoom(Manifest base, String what) {
    if (base.sealable().isPresent()) {
      return Optional.empty();
    }
    throw new InvalidRequest(
        ("the manifest has no room for %s: its %d active producers take %d bytes; close or retire"
                + " some, or use shorter producer ids and offsets")
            .formatted(what, base.producers().active().size(), base.producers().bytes()));
  }
}
