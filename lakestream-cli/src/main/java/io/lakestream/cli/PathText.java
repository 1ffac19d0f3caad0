// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the path of a file from an argument. */
final class PathText implements ITypeConverter<Path> {
  @Override
  public Path convert(String text) {
    if (text.isEmpty()) {
      // For Java it is the working directory, but most often a variable that is not set.
      throw new TypeConversionException("it is empty; name a file or a folder");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException(
          "'%s' is no path: %s; name a file or a folder".formatted(text, e.getReason()));
    }
  }
}
