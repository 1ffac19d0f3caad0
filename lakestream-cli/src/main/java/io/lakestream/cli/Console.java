// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a command has of its process: results go to the standard output, everything else to the
 * standard error. For use by one thread, except for {@link #note}.
 */
public final class Console {
  private static final int CHUNK_BYTES = 64 * 1024;

  private final OutputStream out;
  private final PrintStream err;
  private final Map<String, String> environment;
  private final Stop stop;
  private final Screen screen;
  private @Nullable StatusLine status;
  private boolean isFailed;

  /**
   * A console.
   *
   * @param out where results go; buffered here
   * @param err where progress, notes and failures go
   * @param environment the environment variables
   * @param stop tells the command to end early
   * @param screen what of {@code out} and {@code err} goes to a terminal
   */
  public Console(
      OutputStream out,
      PrintStream err,
      Map<String, String> environment,
      Stop stop,
      Screen screen) {
    this.out = new BufferedOutputStream(out);
    this.err = err;
    this.environment = environment;
    this.stop = stop;
    this.screen = screen;
  }

  /** The standard output takes no more, such as after {@code | head}. */
  static final class OutputFailed extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    OutputFailed(IOException cause) {
      super("cannot write to the standard output: " + cause.getMessage(), cause);
    }

    /** Whether the reader went away, which is its good right. */
    boolean isClosedByReader() {
      return String.valueOf(getMessage()).contains("Broken pipe");
    }
  }

  /** Prints a line of results. */
  public void print(String line) {
    try {
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Prints bytes as they are. */
  void print(ByteBuffer bytes) {
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      while (bytes.hasRemaining()) {
        int length = Math.min(CHUNK_BYTES, bytes.remaining());
        bytes.get(chunk, 0, length);
        out.write(chunk, 0, length);
      }
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Hands on what was printed; does nothing after a failure, which was thrown before. */
  public void flush() {
    try {
      if (!isFailed) {
        out.flush();
      }
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private OutputFailed failure(IOException e) {
    isFailed = true;
    return new OutputFailed(e);
  }

  /** Prints a note for people to the standard error. */
  public void note(String line) {
    status().say("lakestream: " + line);
  }

  /** Shows on the standard error what a long command is at. */
  public synchronized StatusLine status() {
    if (status == null) {
      status =
          isErrorTerminal()
              ? new StatusLine.ChangingLine(err, screen)
              : new StatusLine.PlainLines(err);
    }
    return status;
  }

  /** The standard error itself. */
  public PrintStream err() {
    return err;
  }

  /** The environment variables. */
  public Map<String, String> environment() {
    return environment;
  }

  /** Tells the command to end early. */
  public Stop stop() {
    return stop;
  }

  /** Whether the standard error can show a line that changes. */
  public boolean isErrorTerminal() {
    return screen.errorColumns().isPresent();
  }

  /** The width of the terminal that results are shown on; empty if they go elsewhere. */
  OptionalInt outputColumns() {
    return screen.outputColumns();
  }

  /** The standard output for picocli. */
  PrintWriter writer() {
    return new PrintWriter(out, false, StandardCharsets.UTF_8);
  }

  /** The standard error for picocli. */
  PrintWriter errorWriter() {
    return new PrintWriter(err, true, StandardCharsets.UTF_8);
  }
}
