// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.policy;

/** Tries to commit as soon as a TGB is finished (the paper's baseline "Naive", §7.1). */
public record NaivePolicy() implements CommitPolicy {
  @Override
  public long waitNanos(int pendingTgbs, long sinceAttemptNanos) {
    return 0;
  }

  @Override
  public NaivePolicy after(Attempt attempt) {
    return this;
  }
}
