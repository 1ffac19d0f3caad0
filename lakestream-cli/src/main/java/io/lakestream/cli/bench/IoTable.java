// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.bench;

import static io.lakestream.cli.Table.left;
import static io.lakestream.cli.Table.right;

import io.lakestream.bench.io.IoFigure;
import io.lakestream.cli.Console;
import io.lakestream.cli.Table;
import io.lakestream.cli.Units;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The figures of {@code bench io} for people, each beside what is demanded of it.
 *
 * @param figures what was measured
 */
record IoTable(List<IoFigure> figures) {
  private static final long LARGE_BYTES = 1_000_000;
  private static final double LARGE_RATIO = 0.80;
  private static final double SMALL_WRITE_RATIO = 0.60;
  private static final double SMALL_READ_RATIO = 0.50;
  private static final double AMPLIFICATION_MAX = 1.10;
  private static final long VERSION_BYTES_MAX = 8 * 1024;

  IoTable {
    figures = List.copyOf(figures);
  }

  void print(Console console, int pairs) {
    Table table =
        new Table(
            left("what"),
            right("batch"),
            right("Lakestream"),
            right("plain files"),
            right("figure"),
            left("demand"),
            left(""));
    for (IoFigure figure : figures) {
      addSpeed(table, figure);
      addMetadata(table, figure);
    }
    table.print(console);
    console.print("");
    console.print(
        "write, read: speed in units of plain file calls, median of %s; ratios can be"
            .formatted(Units.count(pairs, "pair")));
    console.print("compared between machines, speeds cannot. Reads come from the page cache.");
    console.print("read amplification: bytes read in units of the bytes of the slices asked for.");
  }

  private static void addSpeed(Table table, IoFigure figure) {
    Double ratio = figure.ratioToRaw();
    if (ratio != null) {
      Demand demand = Demand.atLeast(ratioMin(figure), ratio);
      table.row(
          what(figure),
          SizeText.of(figure.tgbBytes()),
          speed(figure.megabytesPerSecond()),
          speed(figure.rawMegabytesPerSecond()),
          Demand.number(ratio),
          demand.text(),
          demand.verdict());
    }
  }

  private static String what(IoFigure figure) {
    Long bundle = figure.bundleBytes();
    return bundle == null || bundle == 0
        ? figure.op()
        : "%s, in objects of %s".formatted(figure.op(), Units.bytes(bundle));
  }

  private static double ratioMin(IoFigure figure) {
    if (figure.tgbBytes() >= LARGE_BYTES) {
      return LARGE_RATIO;
    }
    return figure.op().equals(IoFigure.WRITE) ? SMALL_WRITE_RATIO : SMALL_READ_RATIO;
  }

  private static String speed(@Nullable Double megabytes) {
    return megabytes == null ? "" : String.format(Locale.ROOT, "%,.0f MB/s", megabytes);
  }

  private static void addMetadata(Table table, IoFigure figure) {
    String size = SizeText.of(figure.tgbBytes());
    Double amplification = figure.readAmplification();
    if (amplification != null) {
      Demand demand = Demand.atMost(AMPLIFICATION_MAX, amplification);
      String what = "read amplification, %d ranks".formatted(figure.ranks());
      String ratio = String.format(Locale.ROOT, "%.3f", amplification);
      table.row(what, size, "", "", ratio, demand.text(), demand.verdict());
    }
    Double perVersion = figure.metadataBytesPerVersion();
    if (perVersion != null) {
      String bound = Units.bytes(VERSION_BYTES_MAX);
      Demand demand = Demand.atMost(bound, perVersion <= VERSION_BYTES_MAX);
      String bytes = Units.bytes(Math.round(perVersion));
      table.row(
          "metadata per version followed", size, "", "", bytes, demand.text(), demand.verdict());
    }
  }
}
