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
        "%s and the ranks of a %s mesh streamed %s in %s s (seed %d)"
            .formatted(
                Units.count(report.producers(), "producer"),
                report.mesh(),
                Path.of(report.input()).getFileName(),
                decimal(report.seconds()),
                report.seed()));
    lines.add("");
    addTable();
    addKills();
    lines.add("");
    addVerdict();
    return lines;
  }

  private void addTable() {
    add(
        "steps",
        "%s with %s tokens".formatted(Units.count(report.steps()), Units.count(report.tokens())));
    // Said, lest somebody takes it for what the stream is able to.
    add("written", bytesAt(report.mbPerSecondIn()) + ", held back to make the run last");
    add("read", bytesAt(report.mbPerSecondOut()));
    add(
        "commits",
        "%d of %d attempts succeeded (%s %%)"
            .formatted(report.commits(), report.attempts(), decimal(100 * report.commitSuccess())));
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
      return ", all batches published";
    }
    return kill.who().startsWith("rank")
        ? ", before step %d; resumed at step %d".formatted(kill.reached(), kill.resumedAt())
        : ", %d batches published; resumed at seq %d".formatted(kill.reached(), kill.resumedAt());
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
          "Only %d of %d kills found a process in the midst of its work; stream more text."
              .formatted(report.kills(), report.killsPlanned()));
    }
    if (report.passed()) {
      lines.add(
          "Proven: every token of the input is in the stream once and in order, and every rank read"
              + " every step once and in order, across %s."
                  .formatted(Units.count(report.kills(), "kill")));
      return;
    }
    lines.add("FAILED:");
    report.mismatches().forEach(mismatch -> lines.add("  " + mismatch));
  }
}
