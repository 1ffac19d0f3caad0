// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.policy;

/**
 * Decides when a producer tries to commit. An immutable value: {@link #after} returns the policy to
 * go on with. It needs no clock and no other producer; all it knows is passed to it.
 */
public interface CommitPolicy {
  /**
   * Answer of {@link #waitNanos} when only another finished TGB can make an attempt due, as for a
   * policy that commits every n TGBs (FIXED, INCR and AIMD of the paper, §7.1). An attempt is due
   * all the same once the producer takes no more TGBs.
   */
  long UNTIL_MORE = Long.MAX_VALUE;

  /**
   * How much longer to wait before the next attempt.
   *
   * @param pendingTgbs finished TGBs that wait to be published, at least 1
   * @param sinceAttemptNanos nanoseconds since the end of the last attempt, or since the opening
   * @return nanoseconds, 0 if an attempt is due, or {@link #UNTIL_MORE}
   */
  long waitNanos(int pendingTgbs, long sinceAttemptNanos);

  /** The policy to go on with after an attempt. */
  CommitPolicy after(Attempt attempt);

  /**
   * What was observed of one attempt.
   *
   * @param fragileWindowNanos nanoseconds from reading the head to the end of the conditional put:
   *     τ of the paper, §5.2
   * @param isPublished whether the attempt published what was pending
   * @param activeProducers N, the active producers in the manifest after the attempt, at least 1
   * @param uniform a uniform random number in {@code [0, 1)}
   */
  record Attempt(
      long fragileWindowNanos, boolean isPublished, int activeProducers, double uniform) {}
}
