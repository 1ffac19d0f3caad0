// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.model.CommitContended;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.LakestreamException;
import io.lakestream.model.ProducerFenced;
import io.lakestream.model.RankFenced;
import io.lakestream.model.StepReclaimed;
import io.lakestream.model.StoreUnavailable;
import java.util.Optional;

/** How a producer or a rank may end that is neither killed nor in error, by its exit status. */
enum End {
  /** All was done. */
  DONE(0),

  /** Another process has taken its place, which it noticed. */
  FENCED(10),

  /** It stood where no promise counts any more, and the steps that it wanted next are gone. */
  RECLAIMED(11),

  /** The store failed, or did not say what came of a commit; the next life finds that out. */
  AGAIN(12);

  private final int status;

  End(int status) {
    this.status = status;
  }

  int status() {
    return status;
  }

  /** The end that a failure means; empty if it should not occur. */
  static Optional<End> of(LakestreamException failure) {
    if (failure instanceof ProducerFenced || failure instanceof RankFenced) {
      return Optional.of(FENCED);
    }
    if (failure instanceof StepReclaimed) {
      return Optional.of(RECLAIMED);
    }
    return failure instanceof CommitUnknown
            || failure instanceof CommitContended
            || failure instanceof StoreUnavailable
        ? Optional.of(AGAIN)
        : Optional.empty();
  }

  /** Whether this is how a process ended. */
  boolean isOf(int exitStatus) {
    return status == exitStatus;
  }
}
