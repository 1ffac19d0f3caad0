// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/**
 * A position in a {@link Mesh}, naming the slice that its ranks read.
 *
 * @param d data-parallel replica, from 0
 * @param c context-parallel rank within the replica, from 0
 */
public record Cell(int d, int c) {
  public Cell {
    if (d < 0 || c < 0) {
      throw new InvalidRequest("a cell has no negative coordinate, but (%d,%d)".formatted(d, c));
    }
  }

  @Override
  public String toString() {
    return "(" + d + "," + c + ")";
  }
}
