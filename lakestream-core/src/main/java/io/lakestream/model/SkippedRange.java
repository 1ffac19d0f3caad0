// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/**
 * Steps that jobs skip, as recorded in the stream. A rank skips those that the manifest version of
 * its start knows, so all ranks of a start skip the same.
 *
 * @param first the first of them
 * @param end one past the last
 * @param version the manifest version that recorded it: starts of this version or a later one skip
 *     the steps
 * @param reason why, for people
 */
public record SkippedRange(long first, long end, long version, String reason) {}
