// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import io.lakestream.format.Manifest;
import io.lakestream.manifest.CheckedHead;

/** How an attempt ended. An unknown end is settled before an attempt returns, or it throws. */
public sealed interface CommitOutcome {

  /** A checked head from after the attempt. */
  CheckedHead<Manifest> head();

  /** Nanoseconds from reading the base to the end of the conditional put: τ of the paper. */
  long fragileWindowNanos();

  /** The head shows the change done. */
  record Committed(CheckedHead<Manifest> head, long fragileWindowNanos) implements CommitOutcome {}

  /** Somebody else committed first; the change may be tried again on this head. */
  record Lost(CheckedHead<Manifest> head, long fragileWindowNanos) implements CommitOutcome {}

  /** The change could not be made on this head, and nothing was put; it may be on the next. */
  record Deferred(CheckedHead<Manifest> head, long fragileWindowNanos) implements CommitOutcome {}
}
