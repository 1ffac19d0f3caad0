// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import io.lakestream.format.Manifest;
import io.lakestream.format.ProducerTable;
import io.lakestream.format.ProducerTable.ArchiveRun;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.store.Body;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts the objects that relieve a manifest, and remembers which are durable. For use by one thread.
 */
final class Sealer {
  /** Names remembered: those of many seal cycles, so that no loser of a race puts twice. */
  private static final int REMEMBERED_MAX = 1_000;

  private final ManifestLog log;
  private final Sealing sealing;
  private final Archives archives;
  private final Map<String, Boolean> durable = new Memory<>();
  private final Map<List<ArchiveRun>, ArchiveRun> merged = new Memory<>();

  Sealer(ManifestLog log, Archives archives) {
    this.log = log;
    this.sealing = new Sealing(log.namespace());
    this.archives = archives;
  }

  /** Makes durable what a checked manifest is due to be relieved by. */
  void prepare(Manifest manifest) throws IOException {
    for (Sealing.SealedObject object : sealing.due(manifest)) {
      if (!durable.containsKey(object.key())) {
        PutOutcome outcome = log.store().putIfAbsent(object.key(), Body.of(object.bytes()));
        if (outcome == PutOutcome.UNKNOWN) {
          return; // Tried again before the next attempt; the manifest has room until then.
        }
        durable.put(object.key(), true);
      }
    }
    List<ArchiveRun> runs = Archives.mergeable(manifest.producers());
    if (!runs.isEmpty() && !merged.containsKey(runs)) {
      archives.merge(runs).ifPresent(run -> merged.put(runs, run));
    }
  }

  /** A base relieved of everything due that is durable. */
  Manifest relieve(Manifest base) {
    Manifest relieved = sealing.relieve(base, durable::containsKey);
    List<ArchiveRun> runs = Archives.mergeable(relieved.producers());
    ArchiveRun run = merged.get(runs);
    Optional<ProducerTable> table =
        run == null ? Optional.empty() : relieved.producers().withMerged(runs, run);
    return table.map(relieved::withProducers).orElse(relieved);
  }

  /** A map that forgets its oldest entries. */
  private static final class Memory<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > REMEMBERED_MAX;
    }
  }
}
