// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.util.List;

/**
 * How many rows (packed sequences, samples) a slice has.
 *
 * @param real rows with content; 0 if the writer does not say
 * @param padding rows that only fill up the batch
 * @param table what each row holds, or empty; with it a slice can be cut between rows
 */
public record Rows(int real, int padding, List<Row> table) {
  /** The writer does not say. */
  public static final Rows UNKNOWN = new Rows(0, 0, List.of());

  /**
   * One row of a slice.
   *
   * @param offset where it starts in the slice, in bytes
   * @param tokens how many tokens it has
   * @param documents how many documents it has parts of
   */
  public record Row(long offset, int tokens, int documents) {
    public Row {
      if (offset < 0 || tokens < 0 || documents < 0) {
        throw new InvalidRequest(
            "a row has no negative offset, tokens or documents: %d, %d, %d"
                .formatted(offset, tokens, documents));
      }
    }
  }

  public Rows {
    table = List.copyOf(table);
    if (real < 0 || padding < 0) {
      throw new InvalidRequest("row counts are not negative: %d, %d".formatted(real, padding));
    }
    if (real > Integer.MAX_VALUE - padding) {
      throw new InvalidRequest(
          "a slice has at most 2^31 - 1 rows, not %d".formatted((long) real + padding));
    }
    if (!table.isEmpty() && table.size() != real + padding) {
      throw new InvalidRequest(
          "a row table lists all rows: %d of %d".formatted(table.size(), real + padding));
    }
  }

  /** Rows without a table. */
  public static Rows of(int real, int padding) {
    return new Rows(real, padding, List.of());
  }

  /** All rows, real and padding. */
  public int count() {
    return real + padding;
  }
}
