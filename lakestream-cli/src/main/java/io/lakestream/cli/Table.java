// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows under a line of headings, in columns that line up. Rows that are printed later keep to the
 * columns of the earlier ones where they fit.
 */
public final class Table {
  private static final String GAP = "  ";

  private final List<Column> columns;
  private final int[] widths;
  private final List<List<String>> rows = new ArrayList<>();
  private boolean isHeadPrinted;

  /**
   * A column.
   *
   * @param heading what is above it
   * @param edge where its values line up
   */
  public record Column(String heading, Edge edge) {}

  /** Where the values of a column line up: texts where they begin, numbers where they end. */
  public enum Edge {
    /** Where they begin. */
    LEFT,
    /** Where they end. */
    RIGHT
  }

  /** A table of these columns. */
  public Table(Column... columns) {
    this.columns = List.of(columns);
    this.widths = this.columns.stream().mapToInt(column -> width(column.heading)).toArray();
  }

  /** A column of texts. */
  public static Column left(String heading) {
    return new Column(heading, Edge.LEFT);
  }

  /** A column of numbers. */
  public static Column right(String heading) {
    return new Column(heading, Edge.RIGHT);
  }

  /** Adds a row of as many values as there are columns. */
  public Table row(Object... values) {
    List<String> row = Arrays.stream(values).map(String::valueOf).map(Table::oneLine).toList();
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], width(row.get(i)));
    }
    rows.add(row);
    return this;
  }

  /** Prints the rows that were not printed yet, the first time under the headings. */
  public void print(Console console) {
    if (!isHeadPrinted) {
      console.print(line(columns.stream().map(Column::heading).toList()));
      isHeadPrinted = true;
    }
    rows.forEach(row -> console.print(line(row)));
    rows.clear();
  }

  private String line(List<String> values) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - width(values.get(i)));
      line.append(i == 0 ? "" : GAP);
      boolean isRight = columns.get(i).edge == Edge.RIGHT;
      line.append(isRight ? padding + values.get(i) : values.get(i) + padding);
    }
    return line.toString().stripTrailing();
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }

  /** Names and offsets are the user's, and must not take a table or a terminal apart. */
  static String oneLine(String text) {
    return text.codePoints().anyMatch(Character::isISOControl)
        ? text.codePoints()
            .collect(
                StringBuilder::new,
                (shown, code) -> shown.appendCodePoint(Character.isISOControl(code) ? '?' : code),
                StringBuilder::append)
            .toString()
        : text;
  }
}
