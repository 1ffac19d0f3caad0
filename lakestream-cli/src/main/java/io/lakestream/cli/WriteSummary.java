// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What one run of {@code write} did; the last line of its events.
 *
 * @param done true
 * @param tgbs batches published
 * @param tokens tokens in them, without padding
 * @param bytes length of their slices
 * @param objects objects uploaded
 * @param attempts conditional puts of manifest versions
 * @param commits attempts that published
 * @param millis how long it took
 * @param resumedFrom the offset it went on from, or null
 * @param offset the offset of the last batch, or null if the producer never published
 * @param sealed whether it gave the stream its end
 * @param skipped what was left out of the input as a whole and of what was read of the share
 * @param store the requests to the store
 */
record WriteSummary(
    boolean done,
    long tgbs,
    long tokens,
    long bytes,
    long objects,
    long attempts,
    long commits,
    double millis,
    @Nullable String resumedFrom,
    @Nullable String offset,
    boolean sealed,
    Skips skipped,
    SortedMap<String, StoreCalls> store) {

  String text() {
    long nanos = Math.round(millis * 1e6);
    return """
    published %s of %s in %s%s
    %s, %s, %s in %s of %s%s\
    """
        .formatted(
            Units.count(tgbs, "batch"),
            Units.bytes(bytes),
            Units.duration(nanos),
            sealed ? " and sealed the stream" : "",
            Units.count(tokens, "token"),
            Units.speed(bytes, nanos),
            Units.count(objects, "object"),
            Units.count(commits, "commit"),
            Units.count(attempts, "attempt"),
            skipped.text().isEmpty() ? "" : "\n" + skipped.text());
  }
}
