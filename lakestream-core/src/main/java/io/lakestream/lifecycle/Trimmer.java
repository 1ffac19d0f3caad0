// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.commit.AnnounceTrimChange;
import io.lakestream.commit.Committer;
import io.lakestream.commit.TrimChange;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader;
import io.lakestream.manifest.CheckedHead;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.policy.CommitSettings;
import io.lakestream.runtime.Environment;
import java.io.IOException;

/**
 * Raises the first step of the stream to the lowest that is promised to anybody: W_global of the
 * paper, in steps (§5.3). For use by one thread.
 *
 * <p>Why no promise is broken. A pin, a start of a job, and a report that goes back count as
 * granted only if, after their object was put, a checked head shows neither a first step nor an
 * announced trim above their step. The trim is announced first; promises are read after; and the
 * first step is raised, to at most the lowest read, only while the announcement is still ours. So a
 * promise put before the announcement is read, and one put after it sees the announcement, and
 * takes it back.
 *
 * <p>An announcement that nobody finished, because its owner died, would be taken back again and
 * again: each pass takes over what it finds.
 */
final class Trimmer {
  private final ManifestLog log;
  private final Environment environment;

  /** A trimmer of a stream. */
  Trimmer(ManifestLog log, Environment environment) {
    this.log = log;
    this.environment = environment;
  }

  /**
   * Where the stream stands after a trim.
   *
   * @param head the head
   * @param promises what was promised
   */
  record Trimmed(CheckedHead<Manifest> head, Promises promises) {}

  /**
   * Trims as far as the promises allow; nothing if there is none, since then nobody has said that
   * he is done with anything.
   */
  Trimmed trim() throws IOException, InterruptedException {
    Committer committer = new Committer(log, environment, CommitSettings.DEFAULT);
    ManifestHeader header = committer.head().manifest().header();
    Promises promises = Promises.read(log);
    long wanted = promises.firstNeeded(committer.head().manifest());
    if (wanted > header.firstStep() || header.trim().isPresent()) {
      AnnounceTrimChange announced = new AnnounceTrimChange(committer.newCommitId(), wanted);
      CheckedHead<Manifest> head = committer.commit(announced).head();
      promises = Promises.read(log);
      long step = Math.min(wanted, promises.firstNeeded(head.manifest()));
      var unused =
          committer.commit(new TrimChange(committer.newCommitId(), announced.commitId(), step));
      committer.leaveLastHint();
    }
    return new Trimmed(committer.head(), promises);
  }

  /** Where the stream stands, and what is promised, without any change. */
  Trimmed look() throws IOException {
    CheckedHead<Manifest> head = log.heads().find(0);
    return new Trimmed(head, Promises.read(log));
  }
}
