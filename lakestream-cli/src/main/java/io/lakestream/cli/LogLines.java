// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.util.Locale;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Prints log messages of libraries to the standard error, a line each. */
final class LogLines extends Handler {
  private final Console console;

  private LogLines(Console console) {
    this.console = console;
  }

  /** Warnings always, what is less only if asked for. */
  static void configure(Console console, Verbosity verbosity) {
    LogManager.getLogManager().reset();
    Logger root = Logger.getLogger("");
    root.setLevel(verbosity == Verbosity.VERBOSE ? Level.INFO : Level.WARNING);
    root.addHandler(new LogLines(console));
  }

  /** For a command whose libraries warn of what it does to them. */
  static void muteWarnings() {
    Logger root = Logger.getLogger("");
    if (Level.WARNING.equals(root.getLevel())) {
      root.setLevel(Level.OFF);
    }
  }

  @Override
  public void publish(LogRecord record) {
    String level = record.getLevel().getName().toLowerCase(Locale.ROOT);
    String message = new SimpleFormatter().formatMessage(record);
    Throwable thrown = record.getThrown();
    console.note(level + ": " + message + (thrown == null ? "" : ": " + thrown));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
