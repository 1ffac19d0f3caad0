// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.bench;

import io.lakestream.bench.Progress;
import io.lakestream.cli.Console;
import java.io.IOException;

/** A benchmark that returns its figures. */
@FunctionalInterface
interface Measurement<T> {
  T run(Progress progress) throws IOException, InterruptedException;

  /**
   * Runs a benchmark under the eyes of the user, who may stop it; it deletes what it wrote then.
   *
   * @throws InterruptedException if the user stopped it
   */
  static <T> T measured(Console console, Measurement<T> measurement)
      throws IOException, InterruptedException {
    return console
        .stop()
        .tidying(
            () -> {
              try (ProgressLine progress = new ProgressLine(console)) {
                return measurement.run(progress);
              }
            });
  }
}
