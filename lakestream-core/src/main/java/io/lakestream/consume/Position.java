// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

/**
 * Where a step of a job begins in the stream.
 *
 * @param step a step of the stream
 * @param part replicas of that step whose slices were read before
 */
public record Position(long step, int part) {
  @Override
  public String toString() {
    return part == 0 ? "step " + step : "part " + part + " of step " + step;
  }
}
