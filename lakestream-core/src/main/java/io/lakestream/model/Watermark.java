// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/**
 * What a rank reports of itself.
 *
 * @param step the step at which its newest durable checkpoint resumes
 * @param readStep the step that it reads next, at or after {@code step}
 */
public record Watermark(long step, long readStep) {
  public Watermark {
    if (step < 0 || readStep < step) {
      throw new InvalidRequest(
          "a rank resumes at a step and has read to there or further, not step %d and %d"
              .formatted(step, readStep));
    }
  }
}
