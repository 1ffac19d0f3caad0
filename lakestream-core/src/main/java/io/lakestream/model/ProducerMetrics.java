// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/**
 * What a producer did so far.
 *
 * @param tgbsWritten batches passed to {@code write}
 * @param tgbsPublished batches that became steps
 * @param bytesWritten length of their slices
 * @param objectsPut objects uploaded
 * @param attempts conditional puts of manifest versions
 * @param commits attempts that published
 */
public record ProducerMetrics(
    long tgbsWritten,
    long tgbsPublished,
    long bytesWritten,
    long objectsPut,
    long attempts,
    long commits) {}
