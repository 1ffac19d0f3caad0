// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.Cell;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a cell from an argument. */
public final class CellText implements ITypeConverter<Cell> {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,6}),([0-9]{1,6})");

  @Override
  public Cell convert(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "a slice is written D,C, such as 1,0 for replica 1 and context rank 0, not '%s'"
              .formatted(text));
    }
    return new Cell(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }
}
