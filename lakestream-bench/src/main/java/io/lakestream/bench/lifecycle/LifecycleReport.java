// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.lifecycle;

import java.util.List;

/**
 * What was measured, and what it was computed from.
 *
 * @param figure the figures
 * @param withReclaim what was stored at each checkpoint with reclamation
 * @param withoutReclaim what was stored at each checkpoint without
 */
public record LifecycleReport(
    LifecycleFigure figure, List<Reading> withReclaim, List<Reading> withoutReclaim) {
  public LifecycleReport {
    withReclaim = List.copyOf(withReclaim);
    withoutReclaim = List.copyOf(withoutReclaim);
  }
}
