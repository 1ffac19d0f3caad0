// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.utils.Signals;

/**
 * The terminals of this process, which Java knows nothing of but {@code test} and {@code stty} do.
 * They are asked when it first matters, and again when a window has changed its size.
 */
final class SystemScreen implements Screen {
  // Not jline's terminal, which unpacks a native library and leaves it behind if it is killed.
  private static final String ASK_ABOUT_OUTPUT = "test -t 1 && { stty size <&1 >&2 || echo >&2; }";
  private static final String ASK_ABOUT_ERROR = "test -t 2 && { stty size <&2 || echo; }";

  /** What {@code stty} prints; it knows no size of a serial line. */
  private static final Pattern SIZE = Pattern.compile("\\d+ ([1-9]\\d{0,4})");

  private static final Pattern WIDTH = Pattern.compile("([1-9]\\d{0,4})");

  /** What terminals have had since they were teletypes. */
  private static final int USUAL_COLUMNS = 80;

  private final Map<String, String> environment;
  private Optional<OptionalInt> output = Optional.empty();
  private Optional<OptionalInt> error = Optional.empty();

  SystemScreen(Map<String, String> environment) {
    this.environment = environment;
    Object unused = Signals.register("WINCH", this::forget);
  }

  private synchronized void forget() {
    output = Optional.empty();
    error = Optional.empty();
  }

  @Override
  public synchronized OptionalInt outputColumns() {
    if (output.isEmpty()) {
      ProcessBuilder shell = new ProcessBuilder("sh", "-c", ASK_ABOUT_OUTPUT);
      shell.redirectOutput(Redirect.INHERIT);
      output = Optional.of(columns(shell, Process::getErrorStream));
    }
    return output.get();
  }

  @Override
  public synchronized OptionalInt errorColumns() {
    if (error.isEmpty()) {
      ProcessBuilder shell = new ProcessBuilder("sh", "-c", ASK_ABOUT_ERROR);
      shell.redirectError(Redirect.INHERIT);
      error =
          Optional.of(
              canTakeBack() ? columns(shell, Process::getInputStream) : OptionalInt.empty());
    }
    return error.get();
  }

  /** Whether a terminal can clear a line. */
  private boolean canTakeBack() {
    return !environment.getOrDefault("TERM", "dumb").equals("dumb");
  }

  /**
   * What a shell that has one of our streams says in its other one; empty if ours goes to no
   * terminal, or if there is no shell.
   */
  private OptionalInt columns(ProcessBuilder shell, Function<Process, InputStream> other) {
    try {
      Process process = shell.start();
      byte[] said = other.apply(process).readAllBytes();
      return process.waitFor() == 0
          ? OptionalInt.of(columns(new String(said, StandardCharsets.UTF_8)))
          : OptionalInt.empty();
    } catch (IOException e) {
      return OptionalInt.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalInt.empty();
    }
  }

  private int columns(String said) {
    Matcher size = SIZE.matcher(said.strip());
    if (size.matches()) {
      return Integer.parseInt(size.group(1));
    }
    Matcher width = WIDTH.matcher(environment.getOrDefault("COLUMNS", ""));
    return width.matches() ? Integer.parseInt(width.group(1)) : USUAL_COLUMNS;
  }
}
