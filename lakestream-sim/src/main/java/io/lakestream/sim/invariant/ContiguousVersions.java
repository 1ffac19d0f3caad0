// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

import io.lakestream.format.Boundary;
import io.lakestream.format.Names;
import java.util.OptionalLong;

/** I1: manifest versions are contiguous above the boundary. */
public final class ContiguousVersions implements Invariant {
  private long newest;
  private long boundary;

  @Override
  public void versionCreated(CreatedVersion version) {
    long number = version.number();
    if (!version.isDead() && number != newest + 1) {
      throw new Violation(
          "I1", "version %d was created, the newest is %d".formatted(number, newest));
    }
    newest = Math.max(newest, number);
  }

  @Override
  public void boundaryCreated(Boundary created) {
    boundary = Math.max(boundary, created.version());
  }

  @Override
  public void objectDeleted(String key) {
    OptionalLong version = Names.manifestOf(key);
    if (version.orElse(0) > boundary) {
      throw new Violation(
          "I1",
          "version %d was deleted, the boundary is %d".formatted(version.getAsLong(), boundary));
    }
  }
}
