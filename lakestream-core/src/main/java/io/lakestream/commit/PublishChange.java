// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import io.lakestream.format.Boundary;
import io.lakestream.format.Chunk;
import io.lakestream.format.CommitKind;
import io.lakestream.format.Descriptor;
import io.lakestream.format.FormatLimits;
import io.lakestream.format.Id128;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.ProducerEntry;
import io.lakestream.format.StreamTables;
import io.lakestream.model.DataLoss;
import io.lakestream.model.Schema;
import io.lakestream.policy.ProducerSettings.SchemaChange;
import java.util.List;
import java.util.Optional;

/**
 * A producer's finished TGBs become visible, as many as fit the manifest. The list of steps and the
 * producer's entry advance in the same version, which is what makes a batch appear exactly once
 * (paper §5.3).
 *
 * @param commitId a random id
 * @param term whose they are
 * @param pending their descriptors, of dense seqs; not empty
 * @param schemas what they consist of, that of the last of them last
 * @param schemaChange whether they may be of another kind than the stream's batches
 */
public record PublishChange(
    Id128 commitId,
    Term term,
    List<Descriptor> pending,
    List<Schema> schemas,
    SchemaChange schemaChange)
    implements Change {

  public PublishChange {
    pending = List.copyOf(pending);
    schemas = List.copyOf(schemas);
    for (int i = 0; i < pending.size(); i++) {
      if (pending.get(i).seq() != pending.get(0).seq() + i) {
        throw new AssertionError("seqs of %s are not dense".formatted(term));
      }
    }
  }

  @Override
  public CommitKind kind() {
    return CommitKind.PUBLISH;
  }

  @Override
  public boolean isDone(Manifest head) {
    return term.entryIn(head).nextSeq() > pending.get(pending.size() - 1).seq();
  }

  /**
   * {@inheritDoc}
   *
   * @throws io.lakestream.model.InvalidRequest if what is pending is of another kind than the
   *     stream's batches, and that is refused; or if the manifest has no room for more
   */
  @Override
  public Optional<Manifest> apply(Manifest base, Boundary boundary) {
    ProducerEntry entry = term.entryIn(base);
    Change.requireOpenStream(base);
    List<Descriptor> rest = unpublished(entry);
    StreamTables tables = tablesBehind(base.tables());
    int room = FormatLimits.TAIL_STEPS_MAX - base.tailSteps();
    int count = Math.min(room, rest.size());
    while (count > 0) {
      Manifest candidate = append(base, tables, boundary, entry, rest.subList(0, count));
      if (candidate.tailBytes() <= FormatLimits.TAIL_BYTES_MAX
          && candidate.bytes() <= FormatLimits.MANIFEST_BYTES_FREE) {
        return Optional.of(candidate);
      }
      count /= 2;
    }
    return Change.waitForRoom(base, "another batch");
  }

  /** What of the pending the producer's entry does not count yet. */
  private List<Descriptor> unpublished(ProducerEntry entry) {
    List<Descriptor> rest =
        pending.stream().filter(descriptor -> descriptor.seq() >= entry.nextSeq()).toList();
    if (rest.isEmpty()) {
      throw new AssertionError("%s has published all of it".formatted(term));
    }
    if (rest.get(0).seq() != entry.nextSeq()) {
      throw new DataLoss(
          ("%s has published batches up to %d, but the stream knows of %d: was the store restored"
                  + " to an earlier state? Open the producer again, and go on from its offset")
              .formatted(term, rest.get(0).seq() - 1, entry.nextSeq()));
    }
    return rest;
  }

  /** The tables with the schemas; one that the stream turns to, or back to, is the newest. */
  private StreamTables tablesBehind(StreamTables before) {
    StreamTables tables = before;
    SchemaGate gate = new SchemaGate(schemaChange, tables.newestSchema());
    for (Schema schema : schemas) {
      boolean isTurn = !gate.driftTo(schema).isEmpty();
      gate = gate.admit(schema);
      tables = tables.withSchema(schema);
      tables = isTurn ? tables.withNewest(schema) : tables;
    }
    return tables;
  }

  private Manifest append(
      Manifest base,
      StreamTables tables,
      Boundary boundary,
      ProducerEntry entry,
      List<Descriptor> taken) {
    long version = base.version() + 1;
    Descriptor last = taken.get(taken.size() - 1);
    ProducerEntry advanced =
        new ProducerEntry(
            entry.id(),
            entry.epoch(),
            last.seq() + 1,
            Optional.of(last.offset()),
            version,
            commitId,
            entry.extra());
    List<Chunk> chunks =
        base.chunksWith(taken.stream().map(descriptor -> descriptor.publishedIn(version)).toList());
    ManifestHeader header =
        base.header()
            .successor(commitId, kind(), term.producer(), term.epoch(), boundary, taken.size());
    return new Manifest(
        header, chunks, base.tree(), base.producers().withActive(advanced), tables, base.unknown());
  }
}
