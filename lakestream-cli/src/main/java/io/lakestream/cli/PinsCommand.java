// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static io.lakestream.cli.Table.left;
import static io.lakestream.cli.Table.right;

import io.lakestream.Namespace;
import io.lakestream.model.Pin;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lakestream pins}. */
@Command(
    name = "pins",
    header = "List pins, the lowest step first.",
    customSynopsis = "lakestream pins URI [OPTIONS]")
final class PinsCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Mixin JsonOption json;

  PinsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try (Namespace stream = namespace.open()) {
      List<Pin> pins = stream.lifecycle().pinned();
      json.printList(console, pins, () -> table(pins).print(console));
    }
    return 0;
  }

  /** Pins for people. */
  static Table table(List<Pin> pins) {
    Table table = new Table(right("step"), left("pin"), left("label"));
    pins.forEach(pin -> table.row(pin.step(), pin.name(), pin.label()));
    return table;
  }
}
