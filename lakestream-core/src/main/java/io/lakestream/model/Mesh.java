// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The data-relevant part of a device mesh: D data-parallel replicas of C context-parallel ranks.
 * Tensor- and pipeline-parallel ranks share slices, so they do not appear (paper §2.1).
 *
 * @param dataParallel D, at least 1
 * @param contextParallel C, at least 1
 */
public record Mesh(int dataParallel, int contextParallel) {
  /** Most cells of a mesh: beyond any real job, and it bounds every footer. */
  public static final int CELLS_MAX = 65_536;

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})[xX×]([0-9]{1,9})");

  public Mesh {
    if (dataParallel < 1 || contextParallel < 1) {
      throw new InvalidRequest(
          "a mesh needs at least one replica and one context rank, not %d×%d"
              .formatted(dataParallel, contextParallel));
    }
    if ((long) dataParallel * contextParallel > CELLS_MAX) {
      throw new InvalidRequest(
          "a mesh of %d×%d has more than %d cells"
              .formatted(dataParallel, contextParallel, CELLS_MAX));
    }
  }

  /**
   * The mesh written as {@code DxC}, such as {@code 8x2}.
   *
   * @throws InvalidRequest if the text has another form
   */
  public static Mesh parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new InvalidRequest(
          "a mesh is written DxC, such as 8x2 for 8 replicas of 2 context ranks, not '%s'"
              .formatted(text));
    }
    return new Mesh(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  /** D·C, the number of slices of a TGB. */
  public int cells() {
    return dataParallel * contextParallel;
  }

  /** Position of a cell in (d,c) order, from 0. */
  public int index(Cell cell) {
    if (!contains(cell)) {
      throw new InvalidRequest("slice %s lies outside the %s mesh".formatted(cell, this));
    }
    return cell.d() * contextParallel + cell.c();
  }

  /** The cell at a position in (d,c) order. */
  public Cell cell(int index) {
    return new Cell(index / contextParallel, index % contextParallel);
  }

  /** Whether the mesh has this cell. */
  public boolean contains(Cell cell) {
    return cell.d() < dataParallel && cell.c() < contextParallel;
  }

  @Override
  public String toString() {
    return dataParallel + "x" + contextParallel;
  }
}
