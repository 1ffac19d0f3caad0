// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.bench;

import io.lakestream.bench.lifecycle.LifecycleReport;
import io.lakestream.bench.lifecycle.Reading;
import io.lakestream.cli.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The stored bytes of both runs over the steps, drawn with letters.
 *
 * @param report what was measured
 */
record StoredPlot(LifecycleReport report) {
  private static final int COLUMNS_MAX = 60;
  private static final int ROWS = 12;
  private static final int LABEL_COLUMNS = 10;

  /** The lines from top to bottom. */
  List<String> lines() {
    int columns = Math.min(COLUMNS_MAX, report.withReclaim().size());
    char[][] cells = new char[ROWS][columns];
    Arrays.stream(cells).forEach(row -> Arrays.fill(row, ' '));
    draw(cells, report.withoutReclaim(), 'o');
    draw(cells, report.withReclaim(), '#');
    List<String> lines = new ArrayList<>();
    lines.add("bytes under data/ over steps: o without reclamation, # with it");
    lines.add("");
    for (int row = ROWS - 1; row >= 0; row--) {
      String label = row == ROWS - 1 ? Units.bytes(topBytes()) : "";
      lines.add(labelled(label, "|" + new String(cells[row])).stripTrailing());
    }
    lines.add(labelled("0 B", "+" + "-".repeat(columns)));
    String last = Units.count(report.figure().steps());
    lines.add(labelled("", " 0" + " ".repeat(Math.max(1, columns - 1 - last.length())) + last));
    return lines;
  }

  private static String labelled(String label, String line) {
    return " ".repeat(Math.max(0, LABEL_COLUMNS - label.length())) + label + " " + line;
  }

  private long topBytes() {
    return Math.max(
        report.figure().withReclaimPeakBytes(), report.figure().withoutReclaimPeakBytes());
  }

  private void draw(char[][] cells, List<Reading> readings, char mark) {
    for (int i = 0; i < readings.size(); i++) {
      int column = i * cells[0].length / readings.size();
      cells[row(readings.get(i).bytesBefore())][column] = mark;
      cells[row(readings.get(i).bytesAfter())][column] = mark;
    }
  }

  private int row(long bytes) {
    return (int) Math.min(ROWS - 1, bytes * ROWS / Math.max(1, topBytes()));
  }
}
