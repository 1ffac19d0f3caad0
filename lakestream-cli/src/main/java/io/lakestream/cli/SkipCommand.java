// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Namespace;
import io.lakestream.model.SkippedRange;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lakestream skip}. */
@Command(
    name = "skip",
    header = "Have jobs skip steps whose data is bad.",
    customSynopsis = "lakestream skip URI A:B --reason=TEXT [OPTIONS]",
    description = {
      "A job skips them on all of its ranks from its next start on ('lakestream group start'); one"
          + " that runs goes on as it began. The steps stay where they are. This cannot be taken"
          + " back."
    },
    sortOptions = false)
final class SkipCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Parameters(
      index = "1",
      paramLabel = "A:B",
      converter = StepRange.Text.class,
      description = "Steps A to B-1: as in Python, B is one past the last.")
  StepRange steps;

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "Why, for people: a line of at most 200 characters.")
  String reason;

  @Mixin JsonOption json;

  SkipCommand(Console console) {
    this.console = console;
  }

  /**
   * What was done, as JSON has it.
   *
   * @param recorded false if all of it was to be skipped already
   * @param version the version that recorded it, or null
   */
  private record Skip(long first, long end, boolean recorded, @Nullable Long version) {}

  @Override
  public Integer call() throws InterruptedException {
    try (Namespace stream = namespace.open()) {
      Optional<SkippedRange> range = stream.skip(steps.first(), steps.end(), reason);
      Long version = range.map(SkippedRange::version).orElse(null);
      Skip value = new Skip(steps.first(), steps.end(), range.isPresent(), version);
      json.print(console, value, () -> console.print(text(value)));
    }
    return 0;
  }

  private String text(Skip value) {
    return value.recorded
        ? "%s: skipped by every start of a job from now on".formatted(steps)
        : "%s: to be skipped already, nothing has changed".formatted(steps);
  }
}
