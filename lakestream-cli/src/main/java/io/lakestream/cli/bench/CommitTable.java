// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.bench;

import static io.lakestream.cli.Table.left;
import static io.lakestream.cli.Table.right;

import io.lakestream.bench.commit.CommitFigure;
import io.lakestream.cli.Console;
import io.lakestream.cli.Table;
import io.lakestream.cli.Units;
import java.util.List;
import java.util.Locale;

/**
 * The figures of {@code bench commit} for people, and what is demanded of them.
 *
 * @param figures what was measured, the history first that the others are compared with
 */
record CommitTable(List<CommitFigure> figures) {
  private static final double TIME_RATIO_MAX = 1.20;
  private static final long MORE_BYTES_MAX = 8 * 1024;
  private static final long HEAD_BYTES_MAX = 128 * 1024;
  private static final long OPEN_REQUESTS_MAX = 6;

  CommitTable {
    figures = List.copyOf(figures);
  }

  void print(Console console) {
    printFigures(console);
    console.print("");
    Table demands = new Table(left("what"), right("figure"), left("demand"), left(""));
    figures.stream().skip(1).forEach(figure -> compare(demands, figures.get(0), figure));
    addBounds(demands);
    demands.print(console);
    console.print("");
    console.print(
        "%s to each history, in turns; open and poll are counted in requests."
            .formatted(Units.count(figures.get(0).commits(), "commit")));
    console.print("Ratios, bytes and requests can be compared between machines, times cannot.");
  }

  private void printFigures(Console console) {
    Table table =
        new Table(
            right("steps"),
            right("mean"),
            right("p50"),
            right("p99"),
            right("bytes put"),
            right("head"),
            right("cold open"),
            right("warm poll"));
    for (CommitFigure figure : figures) {
      table.row(
          Units.count(figure.steps()),
          millis(figure.commitMillisMean()),
          millis(figure.commitMillisP50()),
          millis(figure.commitMillisP99()),
          Units.bytes(Math.round(figure.commitBytes())),
          Units.bytes(figure.headBytes()),
          Units.count(figure.coldOpenRequests()),
          Units.count(figure.warmPollRequests()));
    }
    table.print(console);
  }

  private static void compare(Table table, CommitFigure base, CommitFigure figure) {
    String against =
        "%s against %s".formatted(Units.count(figure.steps()), Units.count(base.steps(), "step"));
    double ratio = figure.commitMillisMean() / base.commitMillisMean();
    add(table, "mean time, " + against, Demand.number(ratio), Demand.atMost(TIME_RATIO_MAX, ratio));
    long more = Math.round(figure.commitBytes() - base.commitBytes());
    add(
        table,
        "more bytes put, " + against,
        (more < 0 ? "-" : "") + Units.bytes(Math.abs(more)),
        Demand.atMost(Units.bytes(MORE_BYTES_MAX), more <= MORE_BYTES_MAX));
  }

  private void addBounds(Table table) {
    long head = figures.stream().mapToLong(CommitFigure::headBytes).max().orElseThrow();
    add(
        table,
        "longest head",
        Units.bytes(head),
        Demand.atMost(Units.bytes(HEAD_BYTES_MAX), head <= HEAD_BYTES_MAX));
    long open = figures.stream().mapToLong(CommitFigure::coldOpenRequests).max().orElseThrow();
    add(
        table,
        "requests of an open, hint up to %s old"
            .formatted(Units.count(CommitFigure.FRESH_VERSIONS, "version")),
        Units.count(open),
        Demand.atMost(OPEN_REQUESTS_MAX, open));
    long stale = figures.stream().mapToLong(CommitFigure::staleOpenRequests).max().orElseThrow();
    long versions = figures.get(0).staleVersions();
    long staleMax = OPEN_REQUESTS_MAX + 2 * log2(versions);
    add(
        table,
        "requests of an open, hint %s old".formatted(Units.count(versions, "version")),
        Units.count(stale),
        Demand.atMost(staleMax, stale));
    long poll = figures.stream().mapToLong(CommitFigure::warmPollRequests).max().orElseThrow();
    add(table, "requests of a warm poll", Units.count(poll), Demand.atMost(1L, poll));
  }

  private static long log2(long number) {
    return 63L - Long.numberOfLeadingZeros(number);
  }

  private static void add(Table table, String what, String figure, Demand demand) {
    table.row(what, figure, demand.text(), demand.verdict());
  }

  private static String millis(double millis) {
    return String.format(Locale.ROOT, "%.2f ms", millis);
  }
}
