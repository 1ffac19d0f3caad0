// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import io.lakestream.cli.Units;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The outcome of a demo for people. */
final class ReportText {
  private final DemoReport report;
  private final List<String> lines = new ArrayList<>();

  ReportText(DemoReport report) {
    this.report = report;
  }

  /** A table, then what was proven or what is wrong. */
  List<String> lines() {
    lines.add(
        "%s and the ranks of a %s mesh streamed %s"
            .formatted(
                Units.count(report.producers(), "producer"),
                report.mesh(),
                Path.of(report.input()).getFileName()));
    lines.add("");
    addTable();
    addKills();
    lines.add("");
    addVerdict();
    return lines;
  }

  private void addTable() {
    add("time", "%s s, with seed %d".formatted(decimal(report.seconds()), report.seed()));
    add(
        "steps",
        "%s with %s".formatted(Units.count(report.steps()), Units.count(report.tokens(), "token")));
    String label = "skipped";
    for (var skipped : report.skipped().skipped().counts().entrySet()) {
      add(label, skipped.getKey().count(skipped.getValue()));
      label = "";
    }
    // Said, lest somebody takes it for what the stream is able to.
    add("written", bytesAt(report.mbPerSecondIn()) + ", held back to make the run last");
    add("read", bytesAt(report.mbPerSecondOut()));
    add(
        "commits",
        "%d of %s succeeded (%s %%)"
            .formatted(
                report.commits(),
                Units.count(report.attempts(), "attempt"),
                decimal(100 * report.commitSuccess())));
    addCosts();
  }

  private void addCosts() {
    add(
        "written to visible",
        "p50 %d ms, p95 %d ms"
            .formatted(
                Math.round(report.visibleMillisP50()), Math.round(report.visibleMillisP95())));
    add(
        "read amplification",
        "%s %% more bytes fetched than slices have"
            .formatted(decimal(100 * (report.readAmplification() - 1))));
    add("head", "%s at version %d".formatted(Units.bytes(report.headBytes()), report.versions()));
  }

  private String bytesAt(double megabytesPerSecond) {
    return "%s at %s MB/s"
        .formatted(
            Units.bytes(report.bytes()), String.format(Locale.ROOT, "%.2f", megabytesPerSecond));
  }

  private void addKills() {
    for (DemoReport.Killed kill : report.killed()) {
      add(
          "killed",
          "%s at %s s%s".formatted(kill.who(), decimal(kill.seconds()), whereabouts(kill)));
    }
  }

  private static String whereabouts(DemoReport.Killed kill) {
    if (kill.resumedAt() == null) {
      return " after its last batch";
    }
    return kill.who().startsWith("rank")
        ? " before step %d, resumed at step %d".formatted(kill.reached(), kill.resumedAt())
        : " after %s, resumed at seq %d"
            .formatted(Units.count(kill.reached(), "batch"), kill.resumedAt());
  }

  private void add(String name, String value) {
    lines.add("  %-20s  %s".formatted(name, value));
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private void addVerdict() {
    if (report.kills() < report.killsPlanned()) {
      lines.add(
          "Only %d of %s found a process in the midst of its work; stream more text."
              .formatted(report.kills(), Units.count(report.killsPlanned(), "kill")));
    }
    if (report.passed()) {
      lines.add("Proven: every token of the input is in the stream once and in order, and");
      lines.add(
          "every rank read every step once and in order, across %s."
              .formatted(Units.count(report.kills(), "kill")));
      return;
    }
    lines.add("FAILED:");
    report.mismatches().forEach(mismatch -> lines.add("  " + mismatch));
  }
}
