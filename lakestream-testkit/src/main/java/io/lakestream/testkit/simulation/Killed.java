// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.simulation;

/**
 * Unwinds the threads of a simulated process that was killed. It comes again from every wait and
 * every store call, so nothing that a thread does on its way out has an effect.
 */
final class Killed extends Error {
  private static final long serialVersionUID = 1L;

  Killed(String process) {
    super(process + " was killed", null, false, false);
  }
}
