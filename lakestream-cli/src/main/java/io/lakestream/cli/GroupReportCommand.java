// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Lifecycle;
import io.lakestream.Namespace;
import io.lakestream.model.Generation;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Watermark;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lakestream group report}. */
@Command(
    name = "report",
    header = "Report where a rank stands.",
    customSynopsis = "lakestream group report URI GROUP RANK --step=S [OPTIONS]",
    description = {
      "For scripts, after each checkpoint: what is below the lowest report of all ranks and below"
          + " all pins may be reclaimed from then on. A rank may report a lower step than before,"
          + " since it may roll back."
    },
    sortOptions = false)
final class GroupReportCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Parameters(
      index = "1",
      paramLabel = "GROUP",
      description = "The start, such as train@3, or the job's name, which is its newest start.")
  String group;

  @Parameters(index = "2", paramLabel = "RANK", description = "The rank, from 0.")
  int rank;

  @Option(
      names = "--step",
      required = true,
      paramLabel = "S",
      description = "The step at which the rank's newest durable checkpoint resumes.")
  long step;

  @Option(
      names = "--read",
      paramLabel = "R",
      description = "The step that it reads next (default: S).")
  @Nullable Long readStep;

  @Option(
      names = "--start",
      paramLabel = "N",
      description = "Which start of the job the rank belongs to (default: the newest).")
  @Nullable Long number;

  @Mixin JsonOption json;

  GroupReportCommand(Console console) {
    this.console = console;
  }

  /**
   * A report as JSON has it.
   *
   * @param previousStep what the rank reported before, or null
   * @param heldStep where it counted as standing before
   * @param rolledBack whether it now stands below that
   */
  private record Reported(
      String token,
      String group,
      long start,
      int rank,
      long step,
      long readStep,
      @Nullable Long previousStep,
      long heldStep,
      boolean rolledBack) {}

  @Override
  public Integer call() {
    Arguments.requireAtLeast("--step", step, 0);
    Arguments.requireAtLeast("--start", number, 1);
    Watermark watermark = new Watermark(step, readStep == null ? step : readStep);
    StartToken token = token();
    try (Namespace stream = namespace.open()) {
      Lifecycle lifecycle = stream.lifecycle();
      Generation generation = token.generation(lifecycle, stream.place());
      Reported reported =
          reported(generation, watermark, lifecycle.report(generation, rank, watermark));
      json.print(console, reported, () -> print(generation, reported));
    }
    return 0;
  }

  private StartToken token() {
    StartToken token = StartToken.parse(group);
    if (number == null) {
      return token;
    }
    if (token.number().isPresent() && token.number().getAsLong() != number) {
      throw new InvalidRequest(
          "%s is another start than --start %d; leave one of them out".formatted(token, number));
    }
    return new StartToken(token.group(), OptionalLong.of(number));
  }

  private Reported reported(
      Generation generation, Watermark watermark, Optional<Watermark> previous) {
    long heldStep = generation.heldStep(previous);
    return new Reported(
        StartToken.of(generation).toString(),
        generation.group(),
        generation.number(),
        rank,
        step,
        watermark.readStep(),
        previous.map(Watermark::step).orElse(null),
        heldStep,
        step < heldStep);
  }

  private void print(Generation generation, Reported reported) {
    console.print(
        "rank %d of %s resumes at step %d and reads step %d next"
            .formatted(rank, generation, step, reported.readStep));
    if (reported.rolledBack) {
      console.print(
          "it rolled back: %s, and nothing from step %d on is given up until it reports again"
              .formatted(before(reported), step));
    }
  }

  private static String before(Reported reported) {
    return reported.previousStep == null
        ? "its job started at step %d".formatted(reported.heldStep)
        : "it reported step %d before".formatted(reported.heldStep);
  }
}
