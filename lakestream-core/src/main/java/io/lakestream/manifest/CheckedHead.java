// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import io.lakestream.format.Boundary;
import io.lakestream.format.ManifestVersion;

/**
 * A head that may be believed: a manifest version that was above the boundary which was read after
 * it.
 *
 * @param <M> how much of the version is known
 * @param manifest the version
 * @param boundary the boundary read after it
 */
public record CheckedHead<M extends ManifestVersion>(M manifest, Boundary boundary) {
  public CheckedHead {
    if (manifest.version() != 0 && manifest.version() <= boundary.version()) {
      throw new AssertionError(
          "version %d is dead: the boundary is %d"
              .formatted(manifest.version(), boundary.version()));
    }
  }

  /** The version. */
  public long version() {
    return manifest.version();
  }
}
