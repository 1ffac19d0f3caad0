// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

/**
 * Turns SIGINT and SIGTERM into a request to stop. The command gets some seconds to end by itself;
 * a second signal ends the process at once.
 *
 * <p>Handlers, not a shutdown hook: while hooks run, a second Ctrl-C has no effect.
 */
final class Signals {
  /** Shells report a process that signal n ended with status 128 + n. */
  private static final int STATUS_INTERRUPTED = 128 + 2;

  private static final int STATUS_TERMINATED = 128 + 15;

  /** Long enough to publish what is on its way, shorter than the ten seconds of most launchers. */
  private static final long DRAIN_MILLIS = 6_000;

  /** For a command whose draining was cut off, or that has nothing to drain. */
  private static final long END_MILLIS = 1_000;

  private Signals() {}

  static void listen(Console console) {
    listen(console, "INT", STATUS_INTERRUPTED);
    listen(console, "TERM", STATUS_TERMINATED);
  }

  private static void listen(Console console, String signal, int status) {
    Object unused = org.jline.utils.Signals.register(signal, () -> end(console, status));
  }

  private static void end(Console console, int status) {
    Stop stop = console.stop();
    if (stop.isRequested()) {
      Runtime.getRuntime().halt(status);
    }
    // Started first, since an interrupt may hang in closing what the command writes to.
    Thread watch = new Thread(() -> endLater(console, status), "lakestream-stop");
    watch.setDaemon(true);
    watch.start();
    stop.request(status);
  }

  private static void endLater(Console console, int status) {
    Stop stop = console.stop();
    try {
      if (stop.isDraining()) {
        Thread.sleep(DRAIN_MILLIS);
        stop.expire();
      }
      Thread.sleep(END_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (console.isErrorTerminal()) {
      // Not elsewhere: a pipe may be full for ever.
      console.note(Failures.INTERRUPTED);
    }
    Runtime.getRuntime().halt(status);
  }
}
