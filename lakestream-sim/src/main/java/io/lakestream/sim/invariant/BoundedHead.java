// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

import io.lakestream.format.FormatLimits;

/** I6: the head is within its bound, and so is its tail. */
public final class BoundedHead implements Invariant {
  @Override
  public void versionCreated(CreatedVersion version) {
    if (version.bytes() > FormatLimits.MANIFEST_BYTES_MAX) {
      throw new Violation(
          "I6", "version %d has %d bytes".formatted(version.number(), version.bytes()));
    }
    if (version.tail().size() > FormatLimits.TAIL_STEPS_MAX) {
      throw new Violation(
          "I6",
          "version %d has a tail of %d steps".formatted(version.number(), version.tail().size()));
    }
  }
}
