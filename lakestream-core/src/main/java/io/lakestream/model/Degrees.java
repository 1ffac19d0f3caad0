// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.util.OptionalInt;

/**
 * The parallel degrees of a job.
 *
 * @param data data-parallel degree, or empty to derive it from the world size
 * @param context context-parallel degree
 * @param tensor tensor-parallel degree
 * @param pipeline pipeline-parallel degree
 */
public record Degrees(OptionalInt data, int context, int tensor, int pipeline) {
  public Degrees {
    if (data.orElse(1) < 1 || context < 1 || tensor < 1 || pipeline < 1) {
      throw new InvalidRequest(
          "parallel degrees are at least 1: dp %s, cp %d, tp %d, pp %d"
              .formatted(data.isPresent() ? data.getAsInt() : "?", context, tensor, pipeline));
    }
  }

  /** The data-parallel degree in a world of this size. */
  int dataIn(int worldSize) {
    long pairs = (long) context * tensor;
    if (pairs > worldSize || worldSize % (pairs * pipeline) != 0) {
      throw new InvalidRequest(
          "a world of %d ranks cannot be divided by cp %d × tp %d × pp %d"
              .formatted(worldSize, context, tensor, pipeline));
    }
    long others = pairs * pipeline;
    int derived = (int) (worldSize / others);
    if (data.orElse(derived) != derived) {
      throw new InvalidRequest(
          "dp %d × cp %d × tp %d × pp %d are %d ranks, but the world has %d"
              .formatted(
                  data.getAsInt(), context, tensor, pipeline, others * data.getAsInt(), worldSize));
    }
    return derived;
  }
}
