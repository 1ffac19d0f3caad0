// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static io.lakestream.cli.Table.left;
import static io.lakestream.cli.Table.sentence;

import io.lakestream.Namespace;
import io.lakestream.model.CheckReport;
import io.lakestream.model.CheckReport.Depth;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lakestream fsck}. */
@Command(
    name = "fsck",
    header = "Check a namespace for damage, object by object.",
    customSynopsis = "lakestream fsck URI [OPTIONS]",
    description = {
      "Reads all metadata, compares the versions with one another, and looks whether all that the"
          + " steps refer to is there. Repairs nothing, and may run while others write. Exit status"
          + " 1 if something is wrong.",
      "Needs some 200 bytes of memory for each object that holds batches: 2 GB for ten million."
    })
final class FsckCommand implements Callable<Integer> {
  private static final long SHOW_GAP_NANOS = 100_000_000L;

  private final Console console;
  private long shownNanos = System.nanoTime();

  @Mixin NamespaceArgument namespace;

  @Option(names = "--deep", description = "Read and check every byte of every step too.")
  boolean isDeep;

  @Mixin JsonOption json;

  FsckCommand(Console console) {
    this.console = console;
  }

  /** A report as JSON has it. */
  private record Checked(
      boolean ok,
      String place,
      boolean deep,
      long version,
      long boundary,
      long versions,
      long firstStep,
      long nextStep,
      long steps,
      long objects,
      long bytes,
      List<CheckReport.Problem> problems,
      long moreProblems,
      List<CheckReport.Note> notes) {
    static Checked of(CheckReport report, String place, Depth depth) {
      return new Checked(
          report.isOk(),
          place,
          depth == Depth.EVERY_BYTE,
          report.version(),
          report.boundary(),
          report.versions(),
          report.firstStep(),
          report.nextStep(),
          report.steps(),
          report.objects(),
          report.bytes(),
          report.problems(),
          report.moreProblems(),
          report.notes());
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    Depth depth = isDeep ? Depth.EVERY_BYTE : Depth.METADATA;
    try (Namespace stream = namespace.open()) {
      CheckReport report = check(stream, depth);
      Checked checked = Checked.of(report, stream.place(), depth);
      json.print(console, checked, () -> print(checked));
      return report.isOk() ? 0 : 1;
    }
  }

  private CheckReport check(Namespace stream, Depth depth) throws InterruptedException {
    try {
      return stream.check(depth, this::show);
    } finally {
      console.status().clear();
    }
  }

  private void show(String part, long done, long total) {
    long nowNanos = System.nanoTime();
    if (nowNanos - shownNanos > SHOW_GAP_NANOS) {
      console.status().show("checking %s: %,d of %,d".formatted(part, done, total));
      shownNanos = nowNanos;
    }
  }

  private void print(Checked checked) {
    if (!checked.problems.isEmpty()) {
      Table table = new Table(left("invariant"), left("object"), sentence("what is wrong"));
      checked.problems.forEach(p -> table.row(p.invariant(), p.object(), p.what()));
      table.print(console);
      if (checked.moreProblems > 0) {
        console.print("and %s".formatted(Units.count(checked.moreProblems, "more problem")));
      }
      console.print("");
    }
    field("namespace", checked.place);
    field("versions", versions(checked));
    field("steps", steps(checked));
    field("objects", "%s, %s".formatted(Units.count(checked.objects), Units.bytes(checked.bytes)));
    for (CheckReport.Note note : checked.notes) {
      field("note", Table.oneLine(text(note)));
    }
    field("verdict", verdict(checked));
  }

  private static String versions(Checked checked) {
    String boundary = checked.boundary == 0 ? "" : ", above boundary " + checked.boundary;
    return "%s up to %d%s".formatted(Units.count(checked.versions), checked.version, boundary);
  }

  private static String steps(Checked checked) {
    String range =
        checked.steps == 0
            ? "none"
            : "%s from %d".formatted(Units.count(checked.steps), checked.firstStep);
    String read = checked.ok ? ", every byte read" : ", every byte that is there read";
    return range + (checked.deep ? read : ", slices not read (--deep does)");
  }

  private static String text(CheckReport.Note note) {
    String examples = String.join(", ", note.examples());
    return examples.isEmpty() ? note.what() : "%s (such as %s)".formatted(note.what(), examples);
  }

  private static String verdict(Checked checked) {
    long problems = checked.problems.size() + checked.moreProblems;
    return checked.ok ? "sound" : "DAMAGED: " + Units.count(problems, "problem");
  }

  private void field(String name, String value) {
    console.print("%-10s %s".formatted(name, value));
  }
}
