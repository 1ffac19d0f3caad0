// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows under a line of headings, in columns that line up. Rows that are printed later keep to the
 * columns of the earlier ones where they fit. On a terminal that is too narrow, texts lose their
 * middles; what goes to a file or a program is whole.
 */
public final class Table {
  private static final String GAP = "  ";

  /** What a text keeps in a narrow terminal: some of its beginning and of its end. */
  private static final int TEXT_COLUMNS_MIN = 8;

  private final List<Column> columns;
  private final int[] widths;
  private final List<List<String>> rows = new ArrayList<>();
  private boolean isHeadPrinted;

  /**
   * A column.
   *
   * @param heading what is above it
   * @param kind what its values are
   */
  public record Column(String heading, Kind kind) {}

  /** What the values of a column are. */
  public enum Kind {
    /** Names and the like, which line up where they begin. */
    TEXT,
    /** Numbers, which line up where they end, and are worth nothing if they are not whole. */
    NUMBER,
    /** What people have to read to its end: a table that has it may be wider than a terminal. */
    SENTENCE
  }

  /** A table of these columns. */
  public Table(Column... columns) {
    this.columns = List.of(columns);
    this.widths = this.columns.stream().mapToInt(column -> Width.of(column.heading)).toArray();
  }

  /** A column of texts. */
  public static Column left(String heading) {
    return new Column(heading, Kind.TEXT);
  }

  /** A column of numbers. */
  public static Column right(String heading) {
    return new Column(heading, Kind.NUMBER);
  }

  /** A column of sentences. */
  public static Column sentence(String heading) {
    return new Column(heading, Kind.SENTENCE);
  }

  /** Adds a row of as many values as there are columns. */
  public Table row(Object... values) {
    List<String> row = Arrays.stream(values).map(String::valueOf).map(Table::oneLine).toList();
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], Width.of(row.get(i)));
    }
    rows.add(row);
    return this;
  }

  /** Prints the rows that were not printed yet, the first time under the headings. */
  public void print(Console console) {
    int columnsMax = columnsMax(console);
    int[] fitting = fitting(columnsMax);
    if (!isHeadPrinted) {
      List<String> headings = columns.stream().map(Column::heading).toList();
      console.print(Width.cut(line(headings, fitting), columnsMax));
      isHeadPrinted = true;
    }
    rows.forEach(row -> console.print(Width.cut(line(row, fitting), columnsMax)));
    rows.clear();
  }

  private int columnsMax(Console console) {
    boolean hasSentence = columns.stream().anyMatch(column -> column.kind == Kind.SENTENCE);
    return hasSentence ? Integer.MAX_VALUE : console.outputColumns().orElse(Integer.MAX_VALUE);
  }

  /** The widths of the columns, of which the widest texts give up what is too much for a line. */
  private int[] fitting(int columnsMax) {
    int[] fitting = widths.clone();
    long excess = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1L) - columnsMax;
    int widest = widestText(fitting);
    while (excess > 0 && widest >= 0) {
      fitting[widest]--;
      excess--;
      widest = widestText(fitting);
    }
    return fitting;
  }

  /** The column that can best give up some of its width, or -1. */
  private int widestText(int[] fitting) {
    int widest = -1;
    int columnsMin = TEXT_COLUMNS_MIN;
    for (int i = 0; i < fitting.length; i++) {
      if (columns.get(i).kind == Kind.TEXT && fitting[i] > columnsMin) {
        widest = i;
        columnsMin = fitting[i];
      }
    }
    return widest;
  }

  private String line(List<String> values, int[] fitting) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < fitting.length; i++) {
      Kind kind = columns.get(i).kind;
      String value = kind == Kind.TEXT ? Width.shorten(values.get(i), fitting[i]) : values.get(i);
      String padding = " ".repeat(fitting[i] - Width.of(value));
      line.append(i == 0 ? "" : GAP);
      line.append(kind == Kind.NUMBER ? padding + value : value + padding);
    }
    return line.toString().stripTrailing();
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
