// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static io.lakestream.cli.Table.left;
import static io.lakestream.cli.Table.right;

import io.lakestream.model.InvalidRequest;
import io.lakestream.sim.Hunt;
import io.lakestream.sim.Scenario;
import io.lakestream.sim.mutant.Mutant;
import io.lakestream.sim.mutant.MutantHunt;
import io.lakestream.sim.mutant.Mutants;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lakestream sim}. */
@Command(
    name = "sim",
    header = "Hunt for faults with the shipped code under a simulator.",
    customSynopsis = "lakestream sim [OPTIONS]",
    sortOptions = false,
    description = {
      "Runs producers, the ranks of jobs and their launchers, reclaimers, and users who pin, skip"
          + " and fork, on a virtual clock, while they are killed and stopped and the store loses,"
          + " delays and repeats requests. A seed decides all of it; a seed that goes wrong goes"
          + " wrong again.",
      "Prints each seed that broke an invariant and what happened before. Exit status 1 if any did."
    })
final class SimCommand implements Callable<Integer> {
  private static final long SEEDS_MAX = 1_000_000_000;

  /** Lines of what happened before, for people; all are in the JSON. */
  private static final int EVENTS_SHOWN = 40;

  private final Console console;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many seeds to run (default: ${DEFAULT-VALUE}).")
  long seeds;

  @Option(
      names = "--from",
      paramLabel = "S",
      defaultValue = "1",
      description = "The first of them (default: ${DEFAULT-VALUE}).")
  long from;

  @Option(
      names = "--scenario",
      converter = ScenarioText.class,
      paramLabel = "NAME",
      defaultValue = "stream",
      description = "What to run: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  Scenario scenario;

  @Option(
      names = "--mutants",
      description =
          "Plant known bugs instead, one after the other, and tell which seed finds each; up to"
              + " --seeds for each. Exit status 1 if one is not found.")
  boolean isMutants;

  @Mixin JsonOption json;

  SimCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (seeds < 1 || seeds > SEEDS_MAX) {
      throw new InvalidRequest("--seeds takes 1 to %d, not %d".formatted(SEEDS_MAX, seeds));
    }
    if (from > Long.MAX_VALUE - seeds) {
      throw new InvalidRequest("no %d seeds are left from --from %d on".formatted(seeds, from));
    }
    LogLines.muteWarnings();
    return isMutants ? huntMutants() : huntSeeds();
  }

  private int huntMutants() throws IOException, InterruptedException {
    List<MutantHunt.Catch> catches = shown(this::catches);
    json.printList(console, catches, () -> print(catches));
    return catches.stream().allMatch(MutantHunt.Catch::isCaught) ? 0 : 1;
  }

  private List<MutantHunt.Catch> catches(Consumer<String> line)
      throws IOException, InterruptedException {
    List<MutantHunt.Catch> catches = new ArrayList<>();
    for (Mutant mutant : Mutants.ALL) {
      line.accept(mutant.name());
      catches.add(MutantHunt.run(mutant, from, seeds));
    }
    return catches;
  }

  private void print(List<MutantHunt.Catch> catches) {
    Table table =
        new Table(
            left("planted"), left("breaks"), right("seeds tried"), left("found by"), left("as"));
    for (MutantHunt.Catch one : catches) {
      table.row(
          one.name(),
          one.invariant(),
          one.seedsTried(),
          one.isCaught() ? "seed " + one.seed() : "NONE",
          one.what());
    }
    table.print(console);
  }

  private int huntSeeds() throws IOException, InterruptedException {
    Hunt.Report report = shown(this::hunt);
    json.print(console, report, () -> print(report));
    return report.violations() == 0 ? 0 : 1;
  }

  private Hunt.Report hunt(Consumer<String> line) throws InterruptedException {
    int atATime = Runtime.getRuntime().availableProcessors();
    LongConsumer progress = done -> line.accept("%d of %d seeds".formatted(done, seeds));
    return new Hunt(scenario, from, seeds, atATime, progress).run();
  }

  /** Something long that says what it is at. */
  @FunctionalInterface
  private interface Work<T> {
    T run(Consumer<String> line) throws IOException, InterruptedException;
  }

  private <T> T shown(Work<T> work) throws IOException, InterruptedException {
    Optional<StatusLine> line =
        console.isErrorTerminal() ? Optional.of(console.status()) : Optional.empty();
    try {
      return work.run(state -> line.ifPresent(shown -> shown.show(state)));
    } finally {
      line.ifPresent(StatusLine::clear);
    }
  }

  private void print(Hunt.Report report) {
    for (Hunt.Failing failing : report.failing()) {
      console.print("seed %d: %s".formatted(failing.seed(), failing.what()));
      int events = failing.lastEvents().size();
      failing.lastEvents().stream()
          .skip(Math.max(0, events - EVENTS_SHOWN))
          .forEach(console::print);
      console.print("");
    }
    console.print(
        "%s, %d of them wrong; %.0f seeds a minute, %.0f store calls each, %d run twice alike"
            .formatted(
                Units.count(report.seeds(), "seed"),
                report.violations(),
                report.seedsPerMinute(),
                report.storeCalls(),
                report.ranTwice()));
  }
}
