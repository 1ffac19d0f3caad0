// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import static io.lakestream.cli.Table.left;
import static io.lakestream.cli.Table.right;

import io.lakestream.cli.Console;
import io.lakestream.cli.Table;
import io.lakestream.cli.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The outcome of a soak for people. */
final class SoakText {
  private final SoakReport report;

  SoakText(SoakReport report) {
    this.report = report;
  }

  /** Prints a table of who was struck, what came of it, and what is wrong. */
  void print(Console console) {
    new Table(left("who"), right("processes"), right("killed"), right("stopped"))
        .row("producers", report.producers(), report.producerKills(), report.producerStops())
        .row("ranks", ranks(), report.rankKills(), report.rankStops())
        .row("reclaimers", report.reclaimers(), report.reclaimerKills(), report.reclaimerStops())
        .print(console);
    console.print("");
    Table table = new Table(left("what"), right("how many"));
    table.row("seconds", String.format(Locale.ROOT, "%.1f", report.seconds()));
    table.row("steps", Units.count(report.steps()));
    table.row("batches acknowledged", Units.count(report.acknowledged()));
    table.row("manifest versions", Units.count(report.versions()));
    table.row("versions deleted", Units.count(report.versionsDeleted()));
    table.row("steps reclaimed", Units.count(report.firstStep()));
    table.row("orphans deleted", Units.count(report.orphansDeleted()));
    table.row("sleepers whose version died", Units.count(report.outlived()));
    table.row("producers replaced asleep", Units.count(report.replaced()));
    table.row("producers fenced", Units.count(report.producersFenced()));
    table.row("jobs rolled back", Units.count(report.rollBacks()));
    table.row("ranks fenced", Units.count(report.ranksFenced()));
    table.row("steps read again", Units.count(report.readAgain()));
    table.row("gave up and started again", Units.count(report.retries()));
    table.print(console);
    console.print("");
    verdict().forEach(console::print);
  }

  private String ranks() {
    return "%d x %s".formatted(report.jobs(), report.mesh());
  }

  /** What was proven, or what is wrong, where to look, and how to do it again. */
  List<String> verdict() {
    List<String> lines = new ArrayList<>();
    if (report.passed()) {
      lines.add(
          "Sound (seed %d): every batch is in the stream once and in order;"
              .formatted(report.seed()));
      lines.add("every rank read every step once and in order, across roll-backs; nothing that a");
      lines.add("promise held was reclaimed; and what is left is whole.");
    } else {
      lines.add("FAILED (seed %d), first things first:".formatted(report.seed()));
      report.wrong().forEach(what -> lines.add("  " + what));
    }
    if (report.place() != null) {
      lines.add("Stream, logs and what each process told are in %s.".formatted(report.place()));
    }
    if (!report.passed()) {
      lines.add("With --seed %d the same are struck at the same times.".formatted(report.seed()));
    }
    return lines;
  }
}
