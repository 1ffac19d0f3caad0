// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

/**
 * What a packer did since it was opened.
 *
 * @param batches batches packed
 * @param tokens tokens packed, padding excluded
 * @param padding tokens of padding, all in the last batch of a share
 * @param documents documents that ended in these batches
 * @param documentsLongerThanBatch how many of those have more tokens than a whole batch
 * @param skipped what was left out of the share because of its content
 */
public record PackingStatistics(
    long batches,
    long tokens,
    long padding,
    long documents,
    long documentsLongerThanBatch,
    Skipped skipped) {}
