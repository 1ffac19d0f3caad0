// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.format.Names;
import io.lakestream.model.CheckReport.Invariant;

/**
 * What a problem is about, and when it is none any more because reclamation took the object.
 *
 * @param invariant what would not hold
 * @param object key of the object
 * @param version the object counts as long as this version is not dead
 * @param step the object counts as long as this step is not trimmed
 */
record Subject(Invariant invariant, String object, long version, long step) {
  private static final long FOR_EVER = Long.MAX_VALUE;

  /** An object that is never deleted. */
  static Subject lasting(Invariant invariant, String object) {
    return new Subject(invariant, object, FOR_EVER, FOR_EVER);
  }

  /** A manifest version. */
  static Subject version(Invariant invariant, long version) {
    return new Subject(invariant, Names.manifest(version), version, FOR_EVER);
  }

  /** An object that is needed up to its last step. */
  static Subject step(Invariant invariant, String object, long lastStep) {
    return new Subject(invariant, object, FOR_EVER, lastStep);
  }

  /** An object that a version refers to. */
  static Subject of(Invariant invariant, String object, long version) {
    return new Subject(invariant, object, version, FOR_EVER);
  }

  boolean isReclaimed(long boundary, long firstStep) {
    return version <= boundary || step < firstStep;
  }
}
