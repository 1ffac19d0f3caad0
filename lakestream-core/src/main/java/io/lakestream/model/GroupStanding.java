// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.util.List;
import java.util.Optional;

/**
 * Where the ranks of a group stand.
 *
 * @param generation the newest start of its job
 * @param watermarks what each rank reported last, by rank; empty if it has not
 */
public record GroupStanding(Generation generation, List<Optional<Watermark>> watermarks) {
  public GroupStanding {
    watermarks = List.copyOf(watermarks);
  }
}
