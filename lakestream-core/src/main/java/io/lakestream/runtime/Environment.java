// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.runtime;

/**
 * The only door to time, chance and threads. In production it is the JDK's; a simulation puts in
 * its own and thereby decides everything that could differ between two runs.
 *
 * @param clock time
 * @param entropy chance
 * @param tasks threads and the locks they share
 */
public record Environment(Clock clock, Entropy entropy, Tasks tasks) {

  /** The environment of a real process: the JDK's clocks, generator and daemon threads. */
  public static Environment system() {
    return SystemEnvironment.INSTANCE;
  }
}
