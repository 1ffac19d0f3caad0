// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.bench;

import static io.lakestream.cli.Table.left;
import static io.lakestream.cli.Table.right;

import io.lakestream.bench.lifecycle.LifecycleFigure;
import io.lakestream.bench.lifecycle.LifecycleReport;
import io.lakestream.bench.lifecycle.ResumeFigure;
import io.lakestream.cli.Console;
import io.lakestream.cli.Table;
import io.lakestream.cli.Units;
import java.util.Locale;

/**
 * The figures of {@code bench lifecycle} for people, and what is demanded of them.
 *
 * @param report what was measured
 */
record LifecycleTable(LifecycleReport report) {
  private static final double REDUCTION_MIN = 0.72;
  private static final double STORED_TO_WINDOW_MAX = 1.1;
  private static final long RESUME_REQUESTS_MAX = 10;
  private static final long RESUME_BYTES_MAX = 16L << 20;

  void print(Console console) {
    printDemands(console);
    console.print("");
    new StoredPlot(report).lines().forEach(console::print);
    console.print("");
    printResumes(console);
    console.print("");
    printNotes(console);
  }

  private void printDemands(Console console) {
    LifecycleFigure figure = report.figure();
    Table table = new Table(left("what"), right("figure"), left("demand"), left(""));
    table.row("peak without reclamation", Units.bytes(figure.withoutReclaimPeakBytes()), "", "");
    table.row("peak with reclamation", Units.bytes(figure.withReclaimPeakBytes()), "", "");
    double reduction = figure.reduction();
    add(
        table,
        "reduction",
        percent(reduction),
        new Demand("≥ " + percent(REDUCTION_MIN), reduction >= REDUCTION_MIN));
    double stored = figure.storedToWindow();
    add(
        table,
        "stored after a pass, of window and lag",
        Demand.number(stored),
        Demand.atMost(STORED_TO_WINDOW_MAX, stored));
    long lost = figure.liveBytesDeleted();
    add(table, "live bytes deleted", Units.bytes(lost), new Demand("0 B", lost == 0));
    long requests = figure.resumeRequests();
    add(
        table,
        "requests to resume",
        Units.count(requests),
        Demand.atMost(RESUME_REQUESTS_MAX, requests));
    long bytes = figure.resumeBytes();
    add(
        table,
        "bytes to resume",
        Units.bytes(bytes),
        Demand.atMost(Units.bytes(RESUME_BYTES_MAX), bytes <= RESUME_BYTES_MAX));
    table.print(console);
  }

  private static void add(Table table, String what, String figure, Demand demand) {
    table.row(what, figure, demand.text(), demand.verdict());
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private void printResumes(Console console) {
    Table table =
        new Table(
            left("resumed at"), right("step"), left("cursor"), right("requests"), right("bytes"));
    for (ResumeFigure resume : report.figure().resumes()) {
      table.row(
          resume.at(),
          Units.count(resume.step()),
          resume.cursorVersion() > 0 ? "with version" : "without",
          Units.count(resume.requests()),
          Units.bytes(resume.bytes()));
    }
    table.print(console);
  }

  private void printNotes(Console console) {
    LifecycleFigure figure = report.figure();
    console.print(
        "%s of %s (stored: %s), %s, %s, durability %s."
            .formatted(
                Units.count(figure.steps(), "step"),
                SizeText.of(figure.tgbBytes()),
                Units.bytes(figure.stepBytes()),
                Units.count(figure.producers(), "producer"),
                Units.count(figure.ranks(), "rank"),
                figure.durability()));
    console.print(
        "window: steps from W_global, the oldest of %s, to the newest; lag: %d steps."
            .formatted(Units.count(figure.keptCheckpoints(), "kept checkpoint"), figure.lagMax()));
    console.print("live: what steps at or after firstStep or a kept checkpoint refer to.");
    console.print(
        "resume: all requests from opening, in a history of %s, until the first batch is"
            .formatted(Units.count(figure.historySteps(), "step")));
    console.print("there, with a prefetch of one step.");
  }
}
