// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Namespace;
import io.lakestream.StreamView;
import io.lakestream.policy.ForkSettings;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lakestream fork}. */
@Command(
    name = "fork",
    header = "Make a new stream that has this one's steps up to one.",
    customSynopsis = "lakestream fork URI NEW --at=STEP [--from=STEP] [--new-producers] [OPTIONS]",
    description = {
      "The new stream goes its own way from --at on: other data, or another try. Batches are not"
          + " copied. URI keeps those that NEW needs, by a pin; 'lakestream reclaim NEW' moves that"
          + " pin. A rank resumes in NEW from its cursor of URI, if that stands at or before --at."
    },
    sortOptions = false)
final class ForkCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Parameters(
      index = "1",
      paramLabel = "NEW",
      description = "Where the new stream will be: a URI, or the path of a folder.")
  String place;

  @Option(
      names = "--at",
      required = true,
      paramLabel = "STEP",
      description = "The first step that is not taken over.")
  long at;

  @Option(
      names = "--from",
      paramLabel = "STEP",
      description = "The first step that is taken over (default: the first there is).")
  @Nullable Long from;

  @Option(
      names = "--new-producers",
      description =
          "Producers begin anew. By default each goes on behind its last batch that is taken over.")
  boolean areProducersNew;

  @Mixin JsonOption json;

  ForkCommand(Console console) {
    this.console = console;
  }

  private record Forked(
      String place, String uuid, String source, long firstStep, long nextStep, long producers) {}

  private ForkSettings settings() {
    Arguments.requireAtLeast("--at", at, 0);
    ForkSettings settings = ForkSettings.at(at);
    if (from != null) {
      Arguments.requireAtLeast("--from", from, 0);
      Arguments.requireAtMost("--from", from, at);
      settings = settings.from(from);
    }
    return areProducersNew ? settings.with(ForkSettings.Producers.NEW) : settings;
  }

  @Override
  public Integer call() {
    NamespaceArgument.requireLasting(place);
    ForkSettings settings = settings();
    try (Namespace stream = namespace.open();
        Namespace fork = stream.fork(place, settings)) {
      StreamView view = fork.view();
      Forked forked =
          new Forked(
              place,
              fork.uuid().toString(),
              stream.place(),
              view.summary().firstStep(),
              view.summary().nextStep(),
              areProducersNew ? 0 : view.producers().size());
      json.print(console, forked, () -> console.print(sentence(forked)));
    }
    return 0;
  }

  private static String sentence(Forked forked) {
    long steps = forked.nextStep - forked.firstStep;
    String kept =
        steps == 0 ? "no steps" : "steps %d to %d".formatted(forked.firstStep, forked.nextStep - 1);
    return "%s begins at step %d, with %s of %s"
        .formatted(forked.place, forked.nextStep, kept, forked.source);
  }
}
