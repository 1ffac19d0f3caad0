// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

/** An invariant does not hold. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param invariant its name, such as I4
   * @param what what was found
   */
  public Violation(String invariant, String what) {
    super(invariant + ": " + what);
  }
}
