// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.model.InvalidRequest;
import io.lakestream.store.Stores;
import java.util.Arrays;
import picocli.CommandLine.Parameters;

/** The namespace that a command is about: its first argument. */
public final class NamespaceArgument {
  @Parameters(
      index = "0",
      paramLabel = "URI",
      description = "The namespace: a URI such as file:///runs/a, or the path of a folder.")
  String place;

  /**
   * Where it is, as the user wrote it.
   *
   * @throws InvalidRequest if it is no place for the stream of a command
   */
  public String place() {
    requireLasting(place);
    return place;
  }

  /** Opens it. */
  public Namespace open() {
    return Lakestream.open(place());
  }

  /** Says if a crash of the machine may undo what a command has done. */
  void noteDurability(Console console) {
    String query = Stores.uri(place()).getQuery();
    if (query != null && Arrays.asList(query.split("&", -1)).contains("durability=none")) {
      console.note("durability none: a crash of the machine may lose what was written");
    }
  }

  /**
   * Refuses a place that would not outlive the command.
   *
   * @throws InvalidRequest if it is such a place
   */
  public static void requireLasting(String place) {
    if ("memory".equalsIgnoreCase(Stores.uri(place).getScheme())) {
      throw new InvalidRequest(
          ("%s is in the memory of this process, and would be gone when the command ends; name a"
                  + " folder or another store")
              .formatted(place));
    }
  }
}
