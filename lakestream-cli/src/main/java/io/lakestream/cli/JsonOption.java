// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.util.List;
import picocli.CommandLine.Option;

/** {@code --json}: whether a result is printed for programs or for people. */
public final class JsonOption {
  @Option(names = "--json", description = "Print JSON; docs/command.md names the fields.")
  boolean isJson;

  /** Whether it is printed for programs. */
  public boolean isJson() {
    return isJson;
  }

  /** Prints one object, or what is for people. */
  public void print(Console console, Object value, Runnable forPeople) {
    if (isJson) {
      console.print(Json.pretty(value));
    } else {
      forPeople.run();
    }
  }

  /** Prints one list with a line for each value, or what is for people. */
  public void printList(Console console, List<?> values, Runnable forPeople) {
    if (isJson) {
      console.print(Json.list(values));
    } else {
      forPeople.run();
    }
  }

  /** Prints each value on a line of its own, or what is for people. */
  public void printLines(Console console, List<?> values, Runnable forPeople) {
    if (isJson) {
      values.forEach(value -> console.print(Json.line(value)));
    } else {
      forPeople.run();
    }
  }
}
