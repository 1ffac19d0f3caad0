// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.format.Manifest;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.GroupStanding;
import io.lakestream.model.Pin;
import io.lakestream.model.Promise;
import io.lakestream.model.Watermark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

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
    standings = List.copyOf(standings);
    all = all.stream().sorted(Comparator.comparingLong(Promise::step)).toList();
  }

  /**
   * All that is promised now.
   *
   * @throws io.lakestream.model.CorruptObject if a record of it is damaged
   * @throws io.lakestream.model.DataLoss if a record of it is missing
   */
  public static Promises read(ManifestLog log) throws IOException {
    List<Promise> all = new ArrayList<>();
    List<GroupStanding> standings = GroupListing.standings(log);
    for (GroupStanding group : standings) {
      for (int rank = 0; rank < group.watermarks().size(); rank++) {
        all.add(ofRank(group, rank));
      }
    }
    for (Pin pin : Pins.all(log)) {
      String label = pin.label().isEmpty() ? "" : " (%s)".formatted(pin.label());
      all.add(new Promise(Promise.Kind.PIN, "pin " + pin.name() + label, pin.step()));
    }
    return new Promises(all, standings);
  }

  private static Promise ofRank(GroupStanding group, int rank) {
    Optional<Watermark> watermark = group.watermarks().get(rank);
    String holder = "rank %d of %s".formatted(rank, group.generation());
    return watermark.isPresent()
        ? new Promise(Promise.Kind.RANK, holder, watermark.get().step())
        : new Promise(Promise.Kind.SILENT_RANK, holder, group.generation().startStep());
  }

  /** Whoever holds the lowest step; empty if nobody has promised anything. */
  public Optional<Promise> lowest() {
    return all.stream().findFirst();
  }

  /** The step to which all ranks have read; empty if there is no rank. */
  OptionalLong readByAll() {
    return standings.stream()
        .flatMapToLong(
            group ->
                group.watermarks().stream()
                    .mapToLong(
                        watermark ->
                            watermark
                                .map(Watermark::readStep)
                                .orElse(group.generation().startStep())))
        .min();
  }

  /** The first step that has to stay, never beyond the end nor below what is gone. */
  long firstNeeded(Manifest head) {
    long first = head.header().firstStep();
    long lowest = lowest().map(Promise::step).orElse(first);
    return Math.max(first, Math.min(lowest, head.header().nextStep()));
  }
}
