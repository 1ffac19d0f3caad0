// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.commit.Committer;
import io.lakestream.commit.WithdrawTrimChange;
import io.lakestream.format.ManifestHeader;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.CommitContended;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.StepReclaimed;
import io.lakestream.policy.CommitSettings;
import io.lakestream.runtime.Environment;
import java.io.IOException;
import java.io.InterruptedIOException;

/** Grants promises; {@link Trimmer} has the argument why they hold. */
final class Grants {
  private final ManifestLog log;
  private final Environment environment;

  Grants(ManifestLog log, Environment environment) {
    this.log = log;
    this.environment = environment;
  }

  /** The head before anything is promised. */
  ManifestHeader head() throws IOException {
    return log.heads().find(0).manifest().header();
  }

  /** Whether a promise of a step would be broken by a trim that is carried out or announced. */
  static boolean isInDoubt(ManifestHeader head, long step) {
    return step < head.firstStep() || head.trim().filter(trim -> step < trim.step()).isPresent();
  }

  /**
   * Refuses a step that nobody can stand at.
   *
   * @throws InvalidRequest if it is below 0 or beyond the head
   */
  static void requireWithin(ManifestHeader head, long step) {
    if (step < 0) {
      throw new InvalidRequest("steps begin at 0, so nobody can stand at %d".formatted(step));
    }
    if (step > head.nextStep()) {
      throw new InvalidRequest(
          "step %d is beyond the head: the stream has %d steps so far; nobody can stand there"
              .formatted(step, head.nextStep()));
    }
  }

  /**
   * Refuses a step that is gone.
   *
   * @throws StepReclaimed if it is
   */
  static void requireThere(ManifestHeader head, long step) {
    if (step < head.firstStep()) {
      throw new StepReclaimed(step, head.firstStep());
    }
  }

  /**
   * Grants a promise whose object was put before. An announced trim that would break it is taken
   * back: it may rest on what was promised before, and its owner may be dead.
   *
   * @throws StepReclaimed if the step is gone
   * @throws CommitUnknown if the store does not say whether the announced trim was taken back
   * @throws CommitContended if too many others were committing
   * @throws IOException if the store fails, or this thread is interrupted
   */
  void grant(long step) throws IOException {
    Committer committer = new Committer(log, environment, CommitSettings.DEFAULT);
    if (isInDoubt(committer.head().manifest().header(), step)) {
      requireThere(committer.head().manifest().header(), step);
      withdraw(committer, step);
      requireThere(committer.head().manifest().header(), step);
    }
  }

  private static void withdraw(Committer committer, long step) throws IOException {
    try {
      var unused = committer.commit(new WithdrawTrimChange(committer.newCommitId(), step));
      committer.leaveLastHint();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while step %d was promised".formatted(step));
    }
  }
}
