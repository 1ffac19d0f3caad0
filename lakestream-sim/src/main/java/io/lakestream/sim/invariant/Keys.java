// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

import io.lakestream.format.Names;
import java.util.Optional;

/** What a key is of. */
public final class Keys {
  private static final String MANIFESTS = "manifest/";
  private static final String BOUNDARIES = "boundary/";

  private Keys() {}

  /** The number of a manifest version. */
  public static Optional<Long> version(String key) {
    return key.startsWith(MANIFESTS) && !key.equals(Names.HINT)
        ? Optional.of(Long.parseLong(key.substring(MANIFESTS.length(), key.indexOf('.'))))
        : Optional.empty();
  }

  /** The index of a boundary. */
  public static Optional<Long> boundary(String key) {
    return key.startsWith(BOUNDARIES)
        ? Optional.of(Long.parseLong(key.substring(BOUNDARIES.length())))
        : Optional.empty();
  }
}
