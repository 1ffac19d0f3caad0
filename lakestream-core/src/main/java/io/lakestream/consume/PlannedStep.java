// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

import io.lakestream.format.Descriptor;
import io.lakestream.model.Schema;

/**
 * A step of a job as one rank will read it.
 *
 * @param next where the step after it begins
 * @param version the manifest version that published all of it, the same on every rank
 * @param tgb the step of the stream that the rank reads from
 * @param replica the replica that it reads, unless rows are dealt
 * @param descriptor where that is
 * @param schema what it consists of
 * @param bytes what the rank's part will take, about
 * @param slices reads the store that has it
 */
public record PlannedStep(
    Position next,
    long version,
    long tgb,
    int replica,
    Descriptor descriptor,
    Schema schema,
    long bytes,
    SliceReader slices) {

  /** The cursor's step behind this step. */
  public long nextStep() {
    return next.step();
  }

  /** The cursor's part behind this step. */
  public int nextPart() {
    return next.part();
  }
}
