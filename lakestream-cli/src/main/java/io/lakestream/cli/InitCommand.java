// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.model.Mesh;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lakestream init}. */
@Command(
    name = "init",
    header = "Create a namespace, after a probe of the store.",
    customSynopsis = "lakestream init URI --mesh=DxC [OPTIONS]",
    description = {
      "Tries out what safety rests on (such as that a conditional put has one winner), refuses a"
          + " store that lacks it, and creates an empty namespace."
    })
final class InitCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Option(
      names = "--mesh",
      required = true,
      paramLabel = "DxC",
      converter = MeshText.class,
      description =
          "Data-parallel and context-parallel degree of the job that will read the stream, such as"
              + " 8x1.")
  Mesh mesh;

  @Mixin JsonOption json;

  InitCommand(Console console) {
    this.console = console;
  }

  private record Created(String place, String uuid, String mesh) {}

  @Override
  public Integer call() {
    try (Namespace created = Lakestream.create(namespace.place(), mesh)) {
      namespace.noteDurability(console);
      String uuid = created.uuid().toString();
      String text = "created %s for a %s mesh (uuid %s)".formatted(created.place(), mesh, uuid);
      Created value = new Created(created.place(), uuid, mesh.toString());
      json.print(console, value, () -> console.print(text));
    }
    return 0;
  }
}
