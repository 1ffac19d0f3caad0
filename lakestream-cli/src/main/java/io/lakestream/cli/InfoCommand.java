// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Namespace;
import io.lakestream.StreamView;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lakestream info}. */
@Command(
    name = "info",
    header = "Show what a namespace holds.",
    customSynopsis = "lakestream info URI [OPTIONS]")
final class InfoCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Mixin JsonOption json;

  InfoCommand(Console console) {
    this.console = console;
  }

  private record Info(
      String place,
      String uuid,
      String mesh,
      long version,
      long firstStep,
      long nextStep,
      boolean sealed,
      long headBytes,
      int tailSteps,
      int segmentReferences,
      int activeProducers,
      long boundary,
      List<SchemaText> schemas,
      long skippedSteps,
      List<StreamView.Source> sources) {
    static Info of(Namespace stream) {
      StreamView.Summary summary = stream.view().summary();
      return new Info(
          stream.place(),
          stream.uuid().toString(),
          stream.mesh().toString(),
          summary.version(),
          summary.firstStep(),
          summary.nextStep(),
          summary.isSealed(),
          summary.headBytes(),
          summary.tailSteps(),
          summary.segmentReferences(),
          summary.activeProducers(),
          summary.boundary(),
          summary.schemas().stream().map(SchemaText::of).toList(),
          summary.skippedSteps(),
          summary.sources());
    }
  }

  @Override
  public Integer call() {
    try (Namespace stream = namespace.open()) {
      namespace.noteDurability(console);
      Info info = Info.of(stream);
      json.print(console, info, () -> print(info));
    }
    return 0;
  }

  private void print(Info info) {
    String steps = steps(info.firstStep, info.nextStep);
    field("namespace", info.place);
    field("uuid", info.uuid);
    field("mesh", info.mesh);
    field("steps", (steps.isEmpty() ? "none" : steps) + (info.sealed ? ", sealed" : ", open"));
    if (info.skippedSteps > 0) {
      field("skipped", Units.count(info.skippedSteps, "step") + " from the next start of a job on");
    }
    field("head", "version %d, %s".formatted(info.version, Units.bytes(info.headBytes)));
    field(
        "in the head",
        "%s, %s"
            .formatted(
                Units.count(info.tailSteps, "step"),
                Units.count(info.segmentReferences, "segment reference")));
    field("boundary", info.boundary == 0 ? "none" : "version " + info.boundary);
    field("producers", info.activeProducers + " active");
    long first = info.firstStep;
    for (StreamView.Source source : info.sources) {
      String taken = steps(first, source.endStep());
      field("forked from", source.place() + (taken.isEmpty() ? ", no steps" : ", steps " + taken));
      first = Math.max(first, source.endStep());
    }
    for (SchemaText schema : info.schemas) {
      field("schema", schema.contentType());
      schema.tensors().forEach(tensor -> field("", tensor.toString()));
    }
  }

  /** Steps from {@code first} to before {@code end}, or nothing if there is none. */
  private static String steps(long first, long end) {
    return first < end ? "%d to %d".formatted(first, end - 1) : "";
  }

  private void field(String name, String value) {
    console.print("%-12s %s".formatted(name, value));
  }
}
