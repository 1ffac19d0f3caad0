// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.policy.PolicyStart;
import java.util.Locale;

/** The commit policies that can be named. */
public enum PolicyName {
  /** Decentralized Adaptive Commit. */
  DAC,
  /** A commit for every finished batch. */
  NAIVE;

  /** How a producer of this policy starts. */
  public PolicyStart start() {
    return this == DAC ? PolicyStart.dac() : PolicyStart.naive();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
