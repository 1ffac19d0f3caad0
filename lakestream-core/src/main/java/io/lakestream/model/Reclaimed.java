// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.util.List;
import java.util.Optional;

/**
 * What a pass of reclamation came to, or would.
 *
 * @param firstStep the first step that the stream has now
 * @param promises what the pass went by, lowest step first; nothing is given up while nobody but
 *     forks has promised anything
 * @param retired ids of the idle producers whose terms were ended
 * @param dataObjects objects of batches that were deleted
 * @param orphans objects of batches that were never published, and never will be
 * @param segments segments and index nodes that were deleted
 * @param manifests manifest versions that were deleted
 */
public record Reclaimed(
    long firstStep,
    List<Promise> promises,
    List<String> retired,
    long dataObjects,
    long orphans,
    long segments,
    long manifests) {
  public Reclaimed {
    promises = List.copyOf(promises);
    retired = List.copyOf(retired);
  }

  /** Whoever keeps the first step from being higher; empty if nobody but forks has promised one. */
  public Optional<Promise> heldBy() {
    return Promise.lowest(promises);
  }
}
