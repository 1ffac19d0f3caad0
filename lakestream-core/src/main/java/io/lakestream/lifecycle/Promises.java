// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.format.Manifest;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.GroupStanding;
import io.lakestream.model.Promise;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * What live checkpoints may resume from: where the ranks of running jobs stand, and the pins. The
 * lowest is W_global of the paper, in steps (§5.3).
 *
 * <p>A trainer pins a checkpoint before its watermark moves past it. Watermarks are read first and
 * pins after, so that what a watermark has left behind is found as a pin. A trim does not rest on
 * that order, since what is promised after its announcement takes it back; who only looks does.
 *
 * @param all all of them, lowest step first
 * @param standings the groups that are part of them
 */
public record Promises(List<Promise> all, List<GroupStanding> standings) {
  public Promises {
    all = List.copyOf(all);
    standings = List.copyOf(standings);
  }

  /**
   * All that is promised now.
   *
   * @throws io.lakestream.model.CorruptObject if a record of it is damaged
   * @throws io.lakestream.model.DataLoss if a record of it is missing
   */
  public static Promises read(ManifestLog log) throws IOException {
    List<GroupStanding> standings = GroupListing.standings(log);
    return new Promises(Promise.of(standings, Pins.all(log)), standings);
  }

  /** Whoever holds the lowest step; empty if nobody but forks has promised anything. */
  public Optional<Promise> lowest() {
    return Promise.lowest(all);
  }

  /** The step to which all ranks have read; empty if there is no rank. */
  OptionalLong readByAll() {
    return standings.stream()
        .flatMapToLong(
            group -> IntStream.range(0, group.watermarks().size()).mapToLong(group::readStep))
        .min();
  }

  /** The first step that has to stay, never beyond the end nor below what is gone. */
  long firstNeeded(Manifest head) {
    long first = head.header().firstStep();
    long lowest = lowest().map(Promise::step).orElse(first);
    return Math.max(first, Math.min(lowest, head.header().nextStep()));
  }
}
