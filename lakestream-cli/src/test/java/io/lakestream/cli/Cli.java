// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What a command printed and how it ended.
 *
 * @param status its exit status
 * @param out its standard output
 * @param err its standard error
 */
record Cli(int status, String out, String err) {
  /** Runs a command in this process, with nothing in its environment. */
  static Cli run(Object... args) {
    return run(Map.of(), args);
  }

  static Cli run(Map<String, String> environment, Object... args) {
    return run(environment, new Stop(), args);
  }

  static Cli run(Map<String, String> environment, Stop stop, Object... args) {
    return run(environment, stop, Screen.none(), args);
  }

  /** The same on a terminal. */
  static Cli runOnTerminal(int columns, Object... args) {
    return run(Map.of(), new Stop(), Screen.of(OptionalInt.of(columns)), args);
  }

  private static Cli run(
      Map<String, String> environment, Stop stop, Screen screen, Object... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream errors = new PrintStream(err, true, UTF_8);
    String[] texts = new String[args.length];
    for (int i = 0; i < args.length; i++) {
      texts[i] = args[i].toString();
    }
    int status = Main.run(new Console(out, errors, environment, stop, screen), texts);
    return new Cli(status, out.toString(UTF_8), err.toString(UTF_8));
  }

  /** Fails unless the command did what it should. */
  Cli isDone() {
    assertThat(status).as(err).isZero();
    return this;
  }

  /** Fails unless the command failed with one line that holds these texts. */
  Cli isRefused(int expected, String... texts) {
    assertThat(err).contains(texts).startsWith("lakestream: ").doesNotContain("\tat ");
    assertThat(status).as(err).isEqualTo(expected);
    return this;
  }

  /** The output as JSON. */
  JsonNode json() {
    try {
      return Json.parse(isDone().out);
    } catch (JsonProcessingException e) {
      throw new AssertionError(out, e);
    }
  }
}
