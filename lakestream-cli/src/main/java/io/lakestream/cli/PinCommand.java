// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Namespace;
import io.lakestream.model.Pin;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lakestream pin}. */
@Command(
    name = "pin",
    header = "Keep a step and all behind it, for a checkpoint.",
    customSynopsis = "lakestream pin URI STEP [--label=TEXT] [OPTIONS]",
    description = {
      "Nothing from the step on is reclaimed until 'lakestream unpin'. Prints the pin's name, which"
          + " takes it back. Refused if the step is reclaimed already, or beyond the head."
    })
final class PinCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Parameters(
      index = "1",
      paramLabel = "STEP",
      description = "The step at which the checkpoint resumes.")
  long step;

  @Option(
      names = "--label",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "What it is for, such as the path of the checkpoint.")
  String label;

  @Mixin JsonOption json;

  PinCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try (Namespace stream = namespace.open()) {
      Pin pin = stream.lifecycle().pin(step, label);
      json.print(console, pin, () -> console.print(pin.name()));
    }
    return 0;
  }
}
