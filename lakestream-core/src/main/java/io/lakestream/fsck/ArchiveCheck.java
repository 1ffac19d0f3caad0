// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import io.lakestream.format.ProducerArchive;
import io.lakestream.format.ProducerEntry;
import io.lakestream.format.ProducerTable.ArchiveRun;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.CheckReport.Invariant;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** The archive runs that a head refers to, and all producers that it knows by them. */
final class ArchiveCheck {
  private final ManifestLog log;
  private final Findings findings;
  private final Listed archives;
  private boolean isWhole = true;

  ArchiveCheck(ManifestLog log, Findings findings, Listed archives) {
    this.log = log;
    this.findings = findings;
    this.archives = archives;
  }

  /** The entry that counts of each producer: active, else retired, else of the newest run. */
  Map<String, ProducerEntry> run(Manifest head) throws IOException, InterruptedException {
    Map<String, ProducerEntry> entries = Succession.entries(head.producers());
    for (ArchiveRun run : head.producers().archive()) {
      String key = Names.archive(run.hash());
      long unused = archives.refer(key);
      Optional<ProducerArchive> archive =
          findings.expect(
              Subject.of(Invariant.I5, key, head.version()),
              () ->
                  log.store()
                      .read(key)
                      .map(bytes -> ProducerArchive.decode(key, log.namespace(), bytes)));
      isWhole = isWhole && archive.isPresent();
      archive.ifPresent(
          found -> found.entries().forEach(entry -> entries.putIfAbsent(entry.id(), entry)));
    }
    return entries;
  }

  /** Whether all runs could be read. */
  boolean isWhole() {
    return isWhole;
  }
}
