// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

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

  /** The step from which a rank may resume: until it has reported, its job's start. */
  public long heldStep(int rank) {
    return generation.heldStep(watermarks.get(rank));
  }

  /** The step that a rank reads next: until it has reported, its job's start. */
  public long readStep(int rank) {
    return watermarks.get(rank).map(Watermark::readStep).orElse(generation.startStep());
  }

  /** The promises of its ranks, by rank. */
  List<Promise> promises() {
    return IntStream.range(0, watermarks.size()).mapToObj(this::promise).toList();
  }

  private Promise promise(int rank) {
    Promise.Kind kind =
        watermarks.get(rank).isPresent() ? Promise.Kind.RANK : Promise.Kind.SILENT_RANK;
    return new Promise(kind, "rank %d of %s".formatted(rank, generation), heldStep(rank));
  }
}
