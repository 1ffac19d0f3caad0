// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.commit.Committer;
import io.lakestream.commit.RetireChange;
import io.lakestream.commit.Term;
import io.lakestream.format.Manifest;
import io.lakestream.format.ProducerEntry;
import io.lakestream.manifest.CheckedHead;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.policy.CommitSettings;
import io.lakestream.runtime.Environment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Ends the terms of producers that died: whose last commit is many versions below a checked head.
 * By order, not by clocks, so a stream that stands still retires nobody. One that commits between
 * the look and the retirement keeps its term, as the change is made only on a base that shows its
 * last commit where it was. One that is alive is fenced, and loses nothing: what it had not
 * published it writes again when it opens anew.
 */
final class IdleProducers {
  /** Each costs a commit that producers race with, and a pass should end; the next goes on. */
  static final int RETIRED_MAX = 100;

  private final ManifestLog log;
  private final Environment environment;

  IdleProducers(ManifestLog log, Environment environment) {
    this.log = log;
    this.environment = environment;
  }

  /** Entries of the producers that are idle in a head, those of the oldest commits first. */
  static List<ProducerEntry> in(Manifest head, long versionsIdle) {
    return head.producers().active().stream()
        .filter(entry -> head.version() - entry.lastVersion() >= versionsIdle)
        .sorted(Comparator.comparingLong(ProducerEntry::lastVersion))
        .limit(RETIRED_MAX)
        .toList();
  }

  /**
   * Retires producers that were found idle.
   *
   * @param head the head that shows them idle
   * @return the ids of those whose terms have ended
   */
  List<String> retire(CheckedHead<Manifest> head, List<ProducerEntry> idle)
      throws IOException, InterruptedException {
    Committer committer = new Committer(log, environment, CommitSettings.DEFAULT, head);
    List<String> retired = new ArrayList<>();
    for (ProducerEntry entry : idle) {
      Term term = new Term(entry.id(), entry.epoch());
      RetireChange change = new RetireChange(committer.newCommitId(), term, entry.lastVersion());
      if (!term.isCurrentIn(committer.commit(change).head().manifest())) {
        retired.add(entry.id());
      }
    }
    if (!retired.isEmpty()) {
      committer.leaveLastHint();
    }
    return retired;
  }
}
