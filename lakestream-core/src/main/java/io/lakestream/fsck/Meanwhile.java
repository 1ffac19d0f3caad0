// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.format.Boundary;
import io.lakestream.format.Manifest;
import io.lakestream.manifest.CheckedHead;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.LakestreamException;
import java.io.IOException;

/** How far reclamation came since the check began. */
final class Meanwhile {
  private final ManifestLog log;
  private Boundary boundary = Boundary.NONE;
  private long version;
  private long firstStep;

  Meanwhile(ManifestLog log) {
    this.log = log;
  }

  /** Starts from a boundary that was read. */
  void reached(Boundary known) {
    boundary = known.version() > boundary.version() ? known : boundary;
  }

  /** Starts from a head that was read. */
  void reached(Manifest head) {
    version = Math.max(version, head.version());
    firstStep = Math.max(firstStep, head.header().firstStep());
  }

  /** The boundary as it is now. */
  Boundary boundary() throws IOException {
    try {
      reached(log.boundaries().newest(boundary));
    } catch (LakestreamException e) {
      return boundary; // It is damaged, which is a problem of its own.
    }
    return boundary;
  }

  /** Looks at the boundary and the head as they are now. */
  void look() throws IOException {
    var unused = boundary();
    try {
      CheckedHead<Manifest> head = log.heads().find(version);
      reached(head.manifest());
      reached(head.boundary());
    } catch (LakestreamException e) {
      return; // A damaged head trims nothing.
    }
  }

  /** Whether reclamation may have taken what a problem is about, as of the last look. */
  boolean isReclaimed(Subject subject) {
    return subject.isReclaimed(boundary.version(), firstStep);
  }
}
