// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class logs while this is open, which is printed nowhere else. */
final class LogRecords extends Handler implements AutoCloseable {
  private final Logger logger;
  private final List<String> lines = new ArrayList<>();

  LogRecords(Class<?> source) {
    logger = Logger.getLogger(source.getName());
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  /** A line for each record: its level and its message. */
  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void publish(LogRecord record) {
    lines.add(record.getLevel().getName() + " " + record.getMessage());
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
