// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.commit.AnnounceTrimChange;
import io.lakestream.commit.Committer;
import io.lakestream.commit.TrimChange;
import io.lakestream.format.Manifest;
import io.lakestream.manifest.CheckedHead;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.Pin;
import io.lakestream.policy.CommitSettings;
import io.lakestream.runtime.Environment;
import java.io.IOException;

/**
 * Raises the first step of the stream to the lowest that is pinned: W_global of the paper, in steps
 * (§5.3). For use by one thread.
 *
 * <p>Why no promise is broken. A pin counts as granted only if, after its object was put, a checked
 * head shows neither a first step nor an announced trim above its step. The trim is announced
 * first; pins are read after; and the first step is raised, to at most the lowest read, only while
 * the announcement is still ours. So a pin put before the announcement is read, and one put after
 * it sees the announcement.
 */
public final class Trimmer {
  private final ManifestLog log;
  private final Environment environment;

  /** A trimmer of a stream. */
  public Trimmer(ManifestLog log, Environment environment) {
    this.log = log;
    this.environment = environment;
  }

  /**
   * Trims as far as the pins allow; nothing if there is none, since then nobody has said that he is
   * done with anything.
   *
   * @return the head afterwards
   */
  public CheckedHead<Manifest> trim() throws IOException, InterruptedException {
    Committer committer = new Committer(log, environment, CommitSettings.DEFAULT);
    long wanted = lowest(committer.head().manifest());
    if (wanted > committer.head().manifest().header().firstStep()) {
      AnnounceTrimChange announced = new AnnounceTrimChange(committer.newCommitId(), wanted);
      CheckedHead<Manifest> head = committer.commit(announced).head();
      long step = Math.min(wanted, lowest(head.manifest()));
      var unused =
          committer.commit(new TrimChange(committer.newCommitId(), announced.commitId(), step));
    }
    return committer.head();
  }

  /** The lowest pinned step, or the first one if there is no pin; never beyond the end. */
  private long lowest(Manifest head) throws IOException {
    long promised =
        new Pins(log, environment.entropy())
            .all().stream().mapToLong(Pin::step).min().orElse(head.header().firstStep());
    return Math.min(promised, head.header().nextStep());
  }
}
