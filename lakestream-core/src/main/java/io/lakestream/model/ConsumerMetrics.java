// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/**
 * What a consumer did so far.
 *
 * @param steps steps handed out
 * @param bytes length of their slices
 * @param waitNanos nanoseconds that {@code next} waited for them
 */
public record ConsumerMetrics(long steps, long bytes, long waitNanos) {}
