// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.simulation;

import io.lakestream.runtime.Tasks;

/** A task of a process, which fails if its body does. */
final class Subtask {
  private Subtask() {}

  static Tasks.Task start(SimulatedProcess process, String name, SimulatedProcess.Body body) {
    return process
        .environment()
        .tasks()
        .start(
            name,
            () -> {
              try {
                body.run();
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
  }
}
