// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Namespace;
import io.lakestream.StreamView;
import io.lakestream.model.SkippedRange;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lakestream steps}. */
@Command(
    name = "steps",
    header = "List steps: who wrote them, and where they are.",
    customSynopsis = "lakestream steps URI [OPTIONS]")
final class StepsCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Option(
      names = "--from",
      paramLabel = "S",
      description = "Start at a step (default: the first there is).")
  @Nullable Long from;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Show at most N steps (default: ${DEFAULT-VALUE}).")
  long limit;

  @Mixin JsonOption json;

  StepsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Arguments.requireAtLeast("--from", from, 0);
    Arguments.requireAtLeast("--limit", limit, 0);
    try (Namespace stream = namespace.open()) {
      StreamView view = stream.view();
      StreamView.Summary summary = view.summary();
      long first = from == null ? summary.firstStep() : from;
      long end = first + Math.min(limit, Math.max(0, summary.nextStep() - first));
      List<SkippedRange> skips = view.skips();
      List<ListedStep> steps =
          LongStream.range(first, end)
              .mapToObj(step -> ListedStep.of(view.step(step), skips))
              .toList();
      json.printList(console, steps, () -> print(steps));
    }
    return 0;
  }

  private void print(List<ListedStep> steps) {
    new StepTable().print(steps.stream().map(ListedStep::step).toList(), console);
    steps.stream()
        .filter(step -> step.skippedFrom() != null)
        .forEach(
            step ->
                console.print(
                    "step %d is skipped by starts of a job from version %d on"
                        .formatted(step.step().step(), step.skippedFrom())));
  }
}
