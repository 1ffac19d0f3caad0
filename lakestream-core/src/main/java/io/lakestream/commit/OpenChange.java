// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import com.google.protobuf.UnknownFieldSet;
import io.lakestream.format.Boundary;
import io.lakestream.format.CommitKind;
import io.lakestream.format.FormatLimits;
import io.lakestream.format.Id128;
import io.lakestream.format.Manifest;
import io.lakestream.format.ProducerEntry;
import io.lakestream.format.ProducerTable;
import io.lakestream.model.InvalidRequest;
import java.util.List;
import java.util.Optional;

/**
 * A producer starts a term. The version that this creates is the term's epoch, so epochs are unique
 * and rise without anybody remembering one; whoever had the id before is fenced.
 *
 * @param commitId the same for all attempts of one opening
 * @param producer the producer's id
 * @param consulted the archive runs in which the producer was looked for
 * @param archived its entry there, if it has one
 */
public record OpenChange(
    Id128 commitId,
    String producer,
    List<ProducerTable.ArchiveRun> consulted,
    Optional<ProducerEntry> archived)
    implements Change {

  @Override
  public CommitKind kind() {
    return CommitKind.OPEN;
  }

  @Override
  public boolean isDone(Manifest head) {
    return head.producers()
        .active(producer)
        .filter(entry -> entry.lastCommitId().equals(commitId))
        .isPresent();
  }

  @Override
  public Optional<Manifest> apply(Manifest base, Boundary boundary) {
    Change.requireOpenStream(base);
    Optional<ProducerEntry> known =
        base.producers().active(producer).or(() -> base.producers().retired(producer));
    if (known.isEmpty() && !base.producers().archive().equals(consulted)) {
      return Optional.empty();
    }
    long version = base.version() + 1;
    ProducerEntry entry = entry(known.or(() -> archived), version);
    Manifest candidate =
        successor(base, boundary, producer, version, base.producers().withActive(entry));
    boolean isNew = base.producers().active(producer).isEmpty();
    int bytes = candidate.producers().bytesWithOffsets();
    if (isNew && bytes > FormatLimits.PRODUCER_TABLE_BYTES_MAX) {
      throw new InvalidRequest(
          "the stream has %d active producers, as many as a manifest holds; close or retire some"
              .formatted(base.producers().active().size()));
    }
    return Optional.of(candidate);
  }

  /** A new term, which goes on where the last one ended. */
  private ProducerEntry entry(Optional<ProducerEntry> before, long version) {
    return new ProducerEntry(
        producer,
        version,
        before.map(ProducerEntry::nextSeq).orElse(0L),
        before.flatMap(ProducerEntry::offset),
        version,
        commitId,
        before.map(ProducerEntry::extra).orElse(UnknownFieldSet.getDefaultInstance()));
  }
}
