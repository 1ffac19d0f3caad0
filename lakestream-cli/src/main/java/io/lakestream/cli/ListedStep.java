// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.lakestream.model.SkippedRange;
import io.lakestream.model.StepInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step in a listing.
 *
 * @param step what its descriptor says
 * @param skippedFrom starts of a job from this version on skip it, or null
 */
record ListedStep(@JsonUnwrapped StepInfo step, @Nullable Long skippedFrom) {
  static ListedStep of(StepInfo step, List<SkippedRange> skips) {
    Long version =
        skips.stream()
            .filter(range -> range.first() <= step.step() && step.step() < range.end())
            .map(SkippedRange::version)
            .min(Long::compare)
            .orElse(null);
    return new ListedStep(step, version);
  }
}
