// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/**
 * What a pass of reclamation came to.
 *
 * @param firstStep the first step that the stream has now
 * @param dataObjects objects of batches that were deleted
 * @param segments segments and index nodes that were deleted
 * @param manifests manifest versions that were deleted
 */
public record Reclaimed(long firstStep, long dataObjects, long segments, long manifests) {}
