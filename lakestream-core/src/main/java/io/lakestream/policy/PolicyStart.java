// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.policy;

/** Makes the policy of a producer that has just opened. */
@FunctionalInterface
public interface PolicyStart {

  /**
   * The policy to begin with.
   *
   * @param tauNanos the fragile window measured while opening, in nanoseconds
   */
  CommitPolicy start(long tauNanos);

  /** Decentralized Adaptive Commit with the default budgets. */
  static PolicyStart dac() {
    return dac(DacPolicy.Budgets.DEFAULT);
  }

  /** Decentralized Adaptive Commit. */
  static PolicyStart dac(DacPolicy.Budgets budgets) {
    return tauNanos -> DacPolicy.start(budgets, tauNanos);
  }

  /** A commit for every finished batch. */
  static PolicyStart naive() {
    return tauNanos -> new NaivePolicy();
  }
}
