// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/** A command that runs beside the test, what it has said so far, and a way to stop it. */
final class RunningCommand {
  /** Exit status of a command that Ctrl-C ended. */
  static final int INTERRUPTED = 130;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Stop stop = new Stop();
  private final CompletableFuture<Integer> status;

  RunningCommand(Screen screen, Object... args) {
    Console console = new Console(out, new PrintStream(err, true, UTF_8), Map.of(), stop, screen);
    String[] texts = Stream.of(args).map(Object::toString).toArray(String[]::new);
    this.status = CompletableFuture.supplyAsync(() -> Main.run(console, texts));
  }

  String out() {
    return out.toString(UTF_8);
  }

  String err() {
    return err.toString(UTF_8);
  }

  boolean isRunning() {
    return !status.isDone();
  }

  /** Waits for its end. */
  int status() throws ExecutionException, InterruptedException {
    return status.get();
  }

  /** Asks it to stop, as Ctrl-C does, and waits for its end. */
  int stop() throws ExecutionException, InterruptedException {
    stop.request(INTERRUPTED);
    return status();
  }
}
