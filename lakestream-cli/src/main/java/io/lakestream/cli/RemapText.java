// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.policy.Remap;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads from an argument what to do if a job's mesh is not the stream's. */
final class RemapText implements ITypeConverter<Remap> {
  @Override
  public Remap convert(String text) {
    for (Remap remap : Remap.values()) {
      if (remap.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(text)) {
        return remap;
      }
    }
    throw new TypeConversionException(
        "a remap is none, keep-rank-batch or keep-global-batch, not '%s'".formatted(text));
  }
}
