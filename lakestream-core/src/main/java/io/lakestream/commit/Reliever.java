// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import io.lakestream.format.Manifest;
import io.lakestream.format.ProducerTable;
import io.lakestream.format.ProducerTable.ArchiveRun;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.RecentMap;
import io.lakestream.store.Body;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Puts the objects that relieve a manifest, and remembers which are durable. For use by one thread.
 */
final class Reliever {
  /** Names remembered: those of many seal cycles, so that no loser of a race puts twice. */
  private static final int REMEMBERED_MAX = 1_000;

  private final ManifestLog log;
  private final Relief relief;
  private final Archives archives;
  private final RecentMap<String, Boolean> durable = new RecentMap<>(REMEMBERED_MAX);
  private final RecentMap<List<ArchiveRun>, ArchiveRun> merged = new RecentMap<>(REMEMBERED_MAX);

  Reliever(ManifestLog log, Archives archives) {
    this.log = log;
    this.relief = new Relief(log.namespace());
    this.archives = archives;
  }

  /**
   * Makes durable what a checked manifest is due to be relieved by.
   *
   * @return whether anything was put, so that time has passed since the manifest was read
   */
  boolean prepare(Manifest manifest) throws IOException {
    boolean hasPut = false;
    for (Relief.OutsideObject object : relief.due(manifest)) {
      if (!durable.has(object.key())) {
        hasPut = true;
        PutOutcome outcome = log.store().putIfAbsent(object.key(), Body.of(object.bytes()));
        if (outcome == PutOutcome.UNKNOWN) {
          break; // Tried again at the next attempt; the manifest has room until then.
        }
        durable.put(object.key(), true);
      }
    }
    List<ArchiveRun> runs = Archives.mergeable(manifest.producers());
    if (!runs.isEmpty() && !merged.has(runs)) {
      hasPut = true;
      archives.merge(runs).ifPresent(run -> merged.put(runs, run));
    }
    return hasPut;
  }

  /** A base relieved of everything due that is durable. */
  Manifest relieve(Manifest base) {
    Manifest relieved = relief.relieve(base, durable::has);
    List<ArchiveRun> runs = Archives.mergeable(relieved.producers());
    Optional<ProducerTable> table =
        merged.get(runs).flatMap(run -> relieved.producers().withMerged(runs, run));
    return table.map(relieved::withProducers).orElse(relieved);
  }
}
