// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import picocli.CommandLine.Parameters;

/** The namespace that a command is about: its first argument. */
public final class NamespaceArgument {
  @Parameters(
      index = "0",
      paramLabel = "URI",
      description = "The namespace: a URI such as file:///runs/a, or the path of a folder.")
  String place;

  /** Where it is, as the user wrote it. */
  public String place() {
    return place;
  }

  /** Opens it. */
  public Namespace open() {
    return Lakestream.open(place);
  }
}
