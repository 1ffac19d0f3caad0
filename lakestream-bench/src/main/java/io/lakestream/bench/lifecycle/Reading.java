// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.lifecycle;

/**
 * What is stored at a checkpoint, once the producers are as far ahead of it as they may be.
 *
 * @param step the step at which the checkpoint resumes
 * @param bytesBefore bytes under {@code data/} before the pass of reclamation
 * @param bytesAfter the same after it; the same without one
 */
public record Reading(long step, long bytesBefore, long bytesAfter) {}
