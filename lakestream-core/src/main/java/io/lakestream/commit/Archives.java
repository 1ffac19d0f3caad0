// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import io.lakestream.format.FormatLimits;
import io.lakestream.format.Id128;
import io.lakestream.format.Names;
import io.lakestream.format.ProducerArchive;
import io.lakestream.format.ProducerEntry;
import io.lakestream.format.ProducerTable;
import io.lakestream.format.ProducerTable.ArchiveRun;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.RecentMap;
import io.lakestream.model.DataLoss;
import io.lakestream.store.Body;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The archive runs of a namespace: producers that retired long ago. For use by one thread. */
public final class Archives {
  /** Runs kept: those that an opening looks through again when it lost a race. */
  private static final int RUNS_KEPT = 64;

  private final ManifestLog log;
  private final RecentMap<Id128, ProducerArchive> recent = new RecentMap<>(RUNS_KEPT);

  /** The archive runs of the namespace that a log is of. */
  public Archives(ManifestLog log) {
    this.log = log;
  }

  /** The newest archived entry of a producer, or empty if it has none. */
  Optional<ProducerEntry> find(ProducerTable table, String producer) throws IOException {
    for (ArchiveRun run : table.archive()) {
      Optional<ProducerEntry> entry = read(run).entry(producer);
      if (entry.isPresent()) {
        return entry;
      }
    }
    return Optional.empty();
  }

  /**
   * The newest archived entries of all producers that have one.
   *
   * @throws DataLoss if a run is missing
   */
  public List<ProducerEntry> all(ProducerTable table) throws IOException {
    List<ProducerArchive> archives = new ArrayList<>();
    for (ArchiveRun run : table.archive()) {
      archives.add(read(run));
    }
    return ProducerArchive.merge(archives).entries();
  }

  private ProducerArchive read(ArchiveRun run) throws IOException {
    String key = Names.archive(run.hash());
    return recent
        .get(
            run.hash(),
            () ->
                log.store()
                    .read(key)
                    .map(bytes -> ProducerArchive.decode(key, log.namespace(), bytes)))
        .orElseThrow(() -> new DataLoss(key + " is missing: it has retired producers; restore it"));
  }

  /** The oldest runs of one level, if there are so many that they are due to be merged. */
  static List<ArchiveRun> mergeable(ProducerTable table) {
    List<ArchiveRun> runs = table.archive();
    int start = 0;
    for (int end = 1; end <= runs.size(); end++) {
      boolean isLevelEnd = end == runs.size() || runs.get(end).level() != runs.get(start).level();
      if (isLevelEnd && end - start >= FormatLimits.ARCHIVE_RUNS_MAX) {
        return List.copyOf(runs.subList(end - FormatLimits.ARCHIVE_RUNS_MAX, end));
      }
      start = isLevelEnd ? end : start;
    }
    return List.of();
  }

  /** Puts one run with the content of several. */
  Optional<ArchiveRun> merge(List<ArchiveRun> runs) throws IOException {
    List<ProducerArchive> archives = new ArrayList<>();
    for (ArchiveRun run : runs) {
      archives.add(read(run));
    }
    ProducerArchive merged = ProducerArchive.merge(archives);
    List<ByteBuffer> bytes = merged.encode(log.namespace());
    Id128 hash = Id128.hashOf(bytes);
    return switch (log.store().putIfAbsent(Names.archive(hash), Body.of(bytes))) {
      case CREATED, OCCUPIED ->
          Optional.of(new ArchiveRun(hash, runs.get(0).level() + 1, merged.entries().size()));
      case UNKNOWN -> Optional.empty();
    };
  }
}
