// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/**
 * A batch that became a step.
 *
 * @param seq its number among the producer's batches
 * @param version a manifest version that has it; the first one, unless a reply was lost
 * @param bytes length of its slices
 * @param visibleNanos nanoseconds from the call of {@code write} to its publication being known
 */
public record Publication(long seq, long version, long bytes, long visibleNanos) {}
