// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.util.List;
import java.util.Optional;

/**
 * What a pass of reclamation came to, or would.
 *
 * @param firstStep the first step that the stream has now
 * @param heldBy whoever keeps it from being higher; empty if nobody has promised anything, and
 *     nothing is given up then
 * @param retired ids of the idle producers whose terms were ended
 * @param dataObjects objects of batches that were deleted
 * @param orphans objects of batches that were never published, and never will be
 * @param segments segments and index nodes that were deleted
 * @param manifests manifest versions that were deleted
 */
public record Reclaimed(
    long firstStep,
    Optional<Promise> heldBy,
    List<String> retired,
    long dataObjects,
    long orphans,
    long segments,
    long manifests) {

  public Reclaimed {
    retired = List.copyOf(retired);
  }
}
