// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a mesh from an argument. */
public final class MeshText implements ITypeConverter<Mesh> {
  @Override
  public Mesh convert(String text) {
    try {
      return Mesh.parse(text);
    } catch (InvalidRequest e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
