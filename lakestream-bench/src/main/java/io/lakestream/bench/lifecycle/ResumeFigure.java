// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.lifecycle;

/**
 * What it took to resume at a step, from opening the namespace to the first batch.
 *
 * @param at where the step is
 * @param step the step
 * @param cursorVersion the version in the cursor, or 0 if it had none
 * @param requests requests to the store
 * @param bytes bytes that they brought
 */
public record ResumeFigure(String at, long step, long cursorVersion, long requests, long bytes) {}
