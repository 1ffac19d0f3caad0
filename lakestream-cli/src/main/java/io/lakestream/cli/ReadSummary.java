// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.util.SortedMap;

/**
 * The last line of a reader's events.
 *
 * @param done true
 * @param steps steps read, those of earlier lives in the same file included
 * @param bytes length of their slices
 * @param descriptorsSha256 SHA-256 over a line with the descriptor ({@link StepLine}) of each of
 *     them
 * @param store the requests of this life to the store
 */
public record ReadSummary(
    boolean done,
    long steps,
    long bytes,
    String descriptorsSha256,
    SortedMap<String, StoreCalls> store) {}
