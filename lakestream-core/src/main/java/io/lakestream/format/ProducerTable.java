// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.lakestream.format.proto.ArchiveRunMessage;
import io.lakestream.format.proto.ProducerEntryMessage;
import io.lakestream.format.proto.ProducerTableMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The producers of a stream. Only active ones may commit; an id that is not among them is fenced.
 * Retired ones stay known for ever, so that a producer that returns goes on where it ended: first
 * here, then in archive runs.
 *
 * @param active entries of producers with a term, by id
 * @param retired entries of producers that ended, not yet in an archive run, oldest first
 * @param archive runs of older retired producers, newest first
 * @param extra fields of a newer minor version, kept as they are
 */
public record ProducerTable(
    List<ProducerEntry> active,
    List<ProducerEntry> retired,
    List<ArchiveRun> archive,
    UnknownFieldSet extra) {

  /** The table of a stream without producers. */
  public static final ProducerTable EMPTY =
      new ProducerTable(List.of(), List.of(), List.of(), UnknownFieldSet.getDefaultInstance());

  /**
   * A sealed object of retired producers.
   *
   * @param hash content hash, which is its name
   * @param level how many times it was merged
   * @param entries how many producers it has
   * @param extra fields of a newer minor version, kept as they are
   */
  public record ArchiveRun(Id128 hash, int level, long entries, UnknownFieldSet extra) {
    public ArchiveRun {
      if (level < 0 || entries < 0) {
        throw new MalformedRecord(
            "an archive run of level %d with %d entries".formatted(level, entries));
      }
    }

    /** A run without fields that this version does not know. */
    public ArchiveRun(Id128 hash, int level, long entries) {
      this(hash, level, entries, UnknownFieldSet.getDefaultInstance());
    }
  }

  public ProducerTable {
    active = List.copyOf(active);
    if (active.stream().map(ProducerEntry::id).distinct().count() != active.size()) {
      throw new MalformedRecord("two active entries of one producer");
    }
    retired = List.copyOf(retired);
    archive = List.copyOf(archive);
  }

  /** The entry of an active producer, or empty if the id has no term. */
  public Optional<ProducerEntry> active(String id) {
    return active.stream().filter(entry -> entry.id().equals(id)).findFirst();
  }

  /** The newest entry of a producer that retired and is not archived yet. */
  public Optional<ProducerEntry> retired(String id) {
    return retired.stream().filter(entry -> entry.id().equals(id)).reduce((a, b) -> b);
  }

  /** The table with an active entry set; it leaves the retired ones. */
  public ProducerTable withActive(ProducerEntry entry) {
    List<ProducerEntry> changed = without(active, entry.id());
    changed.add(entry);
    changed.sort(Comparator.comparing(ProducerEntry::id));
    return new ProducerTable(changed, without(retired, entry.id()), archive, extra);
  }

  /** The table with an active producer moved to the retired ones. */
  public ProducerTable withRetired(ProducerEntry entry) {
    List<ProducerEntry> changed = without(retired, entry.id());
    changed.add(entry);
    return new ProducerTable(without(active, entry.id()), changed, archive, extra);
  }

  /**
   * The table with retired entries replaced by the archive run that holds them, or empty if they
   * are not all here any more as they were.
   */
  public Optional<ProducerTable> withArchived(List<ProducerEntry> entries, ArchiveRun run) {
    if (!retired.containsAll(entries)) {
      return Optional.empty();
    }
    List<ProducerEntry> kept = new ArrayList<>(retired);
    kept.removeAll(entries);
    List<ArchiveRun> runs = new ArrayList<>(archive);
    runs.add(0, run);
    return Optional.of(new ProducerTable(active, kept, runs, extra));
  }

  /**
   * The table with consecutive archive runs replaced by the one that holds them all, or empty if
   * they are not all here any more.
   */
  public Optional<ProducerTable> withMerged(List<ArchiveRun> merged, ArchiveRun run) {
    int first = merged.isEmpty() ? -1 : archive.indexOf(merged.get(0));
    if (first < 0
        || first + merged.size() > archive.size()
        || !archive.subList(first, first + merged.size()).equals(merged)) {
      return Optional.empty();
    }
    List<ArchiveRun> runs = new ArrayList<>(archive.subList(0, first));
    runs.add(run);
    runs.addAll(archive.subList(first + merged.size(), archive.size()));
    return Optional.of(new ProducerTable(active, retired, runs, extra));
  }

  private static List<ProducerEntry> without(List<ProducerEntry> entries, String id) {
    List<ProducerEntry> kept = new ArrayList<>(entries);
    kept.removeIf(entry -> entry.id().equals(id));
    return kept;
  }

  /** Encoded length in bytes. */
  public int bytes() {
    return toMessage().getSerializedSize();
  }

  /** Encoded length in bytes if every active producer had an offset of usual length at least. */
  public int bytesWithOffsets() {
    int missing = 0;
    for (ProducerEntry entry : active) {
      int offsetBytes = entry.offset().map(String::length).orElse(0);
      missing += Math.max(0, FormatLimits.OFFSET_BYTES_COUNTED - offsetBytes);
    }
    return bytes() + missing;
  }

  ProducerTableMessage toMessage() {
    ProducerTableMessage.Builder message = ProducerTableMessage.newBuilder();
    active.forEach(entry -> message.addActive(entry.toMessage()));
    retired.forEach(entry -> message.addRetired(entry.toMessage()));
    for (ArchiveRun run : archive) {
      message.addArchive(
          ArchiveRunMessage.newBuilder()
              .setHash(ByteString.copyFrom(run.hash().toBytes()))
              .setLevel(run.level())
              .setEntries(run.entries())
              .setUnknownFields(run.extra()));
    }
    return message.setUnknownFields(extra).build();
  }

  static ProducerTable fromMessage(String key, ProducerTableMessage message) {
    List<ArchiveRun> runs = new ArrayList<>();
    for (ArchiveRunMessage run : message.getArchiveList()) {
      Id128 hash = Id128.read(key, "the hash of an archive run", run.getHash());
      runs.add(new ArchiveRun(hash, run.getLevel(), run.getEntries(), run.getUnknownFields()));
    }
    return new ProducerTable(
        entries(key, message.getActiveList()),
        entries(key, message.getRetiredList()),
        runs,
        message.getUnknownFields());
  }

  static List<ProducerEntry> entries(String key, List<ProducerEntryMessage> messages) {
    return messages.stream().map(message -> ProducerEntry.fromMessage(key, message)).toList();
  }
}
