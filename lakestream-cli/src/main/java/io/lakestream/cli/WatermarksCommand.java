// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static io.lakestream.cli.Table.left;
import static io.lakestream.cli.Table.right;

import io.lakestream.Lifecycle;
import io.lakestream.Namespace;
import io.lakestream.model.GroupStanding;
import io.lakestream.model.Pin;
import io.lakestream.model.Promise;
import io.lakestream.model.Watermark;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lakestream watermarks}. */
@Command(
    name = "watermarks",
    header = "Show where ranks and pins stand, and who holds the stream.",
    customSynopsis = "lakestream watermarks URI [OPTIONS]",
    description = {
      "W_global is the lowest step that a rank or a pin holds; 'lakestream reclaim' gives up what"
          + " is below."
    })
final class WatermarksCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Mixin JsonOption json;

  WatermarksCommand(Console console) {
    this.console = console;
  }

  private record Rank(int rank, @Nullable Long step, @Nullable Long readStep, long heldStep) {
    static Rank of(GroupStanding standing, int rank) {
      Optional<Watermark> watermark = standing.watermarks().get(rank);
      return new Rank(
          rank,
          watermark.map(Watermark::step).orElse(null),
          watermark.map(Watermark::readStep).orElse(null),
          standing.heldStep(rank));
    }
  }

  private record Group(
      String token,
      String group,
      long start,
      int worldSize,
      long startStep,
      long version,
      List<Rank> ranks) {
    static Group of(GroupStanding standing) {
      var start = standing.generation();
      List<Rank> ranks =
          IntStream.range(0, standing.watermarks().size())
              .mapToObj(rank -> Rank.of(standing, rank))
              .toList();
      return new Group(
          StartToken.of(start).toString(),
          start.group(),
          start.number(),
          start.worldSize(),
          start.startStep(),
          start.version(),
          ranks);
    }
  }

  private record Watermarks(
      @Nullable Long wGlobal,
      List<PromiseText> heldBy,
      long firstStep,
      long nextStep,
      List<Group> groups,
      List<Pin> pins) {
    static Watermarks of(Namespace stream) {
      Lifecycle lifecycle = stream.lifecycle();
      // In this order: what a rank has moved past while we look is found as a pin.
      List<GroupStanding> standings = lifecycle.standings();
      List<Pin> pins = lifecycle.pinned();
      List<Promise> promises = Promise.of(standings, pins);
      Long lowest = Promise.lowest(promises).map(Promise::step).orElse(null);
      var summary = stream.view().summary();
      return new Watermarks(
          lowest,
          promises.stream()
              .filter(promise -> lowest != null && promise.step() == lowest)
              .map(PromiseText::of)
              .toList(),
          summary.firstStep(),
          summary.nextStep(),
          standings.stream().map(Group::of).toList(),
          pins);
    }
  }

  @Override
  public Integer call() {
    try (Namespace stream = namespace.open()) {
      Watermarks watermarks = Watermarks.of(stream);
      json.print(console, watermarks, () -> print(watermarks));
    }
    return 0;
  }

  private void print(Watermarks watermarks) {
    if (!watermarks.groups.isEmpty()) {
      groups(watermarks.groups).print(console);
      console.print("");
    }
    if (!watermarks.pins.isEmpty()) {
      PinsCommand.table(watermarks.pins).print(console);
      console.print("");
    }
    console.print("steps     %s".formatted(steps(watermarks)));
    String step = watermarks.wGlobal == null ? "none" : watermarks.wGlobal.toString();
    console.print("W_global  %s; %s".formatted(step, PromiseText.lowest(watermarks.heldBy)));
  }

  private static Table groups(List<Group> groups) {
    Table table =
        new Table(
            left("group"),
            right("start"),
            right("ranks"),
            right("rank"),
            right("step"),
            right("reads"),
            left(""));
    for (Group group : groups) {
      for (Rank rank : group.ranks) {
        table.row(
            group.group,
            group.start,
            Units.count(group.worldSize),
            rank.rank,
            rank.step == null ? "-" : rank.step,
            rank.readStep == null ? "-" : rank.readStep,
            rank.step == null ? "not reported: counts as step " + rank.heldStep : "");
      }
    }
    return table;
  }

  private static String steps(Watermarks watermarks) {
    return watermarks.firstStep == watermarks.nextStep
        ? "none"
        : "%d to %d".formatted(watermarks.firstStep, watermarks.nextStep - 1);
  }
}
