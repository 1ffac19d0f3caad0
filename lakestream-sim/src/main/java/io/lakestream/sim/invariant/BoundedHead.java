// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

import io.lakestream.format.FormatLimits;

/** I6: the head is within its bound. */
public final class BoundedHead implements Invariant {
  @Override
  public void versionCreated(CreatedVersion version) {
    if (version.bytes() > FormatLimits.MANIFEST_BYTES_MAX) {
      throw new Violation(
          "I6", "version %d has %d bytes".formatted(version.number(), version.bytes()));
    }
  }
}
