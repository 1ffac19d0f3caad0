// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.bench;

import io.lakestream.bench.Progress;
import io.lakestream.cli.Console;
import io.lakestream.cli.StatusLine;
import java.util.Optional;

/** Shows on a terminal what a benchmark is at, in one line that goes when it ends. */
final class ProgressLine implements Progress, AutoCloseable {
  private final Optional<StatusLine> line;

  ProgressLine(Console console) {
    this.line = console.isErrorTerminal() ? Optional.of(console.status()) : Optional.empty();
  }

  @Override
  public void stage(String what) {
    line.ifPresent(shown -> shown.show(what));
  }

  @Override
  public void close() {
    line.ifPresent(StatusLine::clear);
  }
}
