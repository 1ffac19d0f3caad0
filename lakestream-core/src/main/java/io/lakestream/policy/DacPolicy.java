// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.policy;

import io.lakestream.model.InvalidRequest;

/**
 * Decentralized Adaptive Commit: Algorithm 1 and equations 2–10 of the paper, §5.2. After every
 * attempt a producer waits for the smallest gap that keeps both the chance of a conflict and the
 * share of time spent on attempts within their budgets, as far as it can tell from the fragile
 * window it measures and the number of producers that the manifest shows.
 *
 * @param budgets the parameters
 * @param tauNanos τ̂, the moving average of the fragile window in nanoseconds
 * @param gapNanos how long to wait after the last attempt, in nanoseconds
 */
public record DacPolicy(Budgets budgets, double tauNanos, long gapNanos) implements CommitPolicy {

  /**
   * Parameters of the algorithm.
   *
   * @param overhead δ, the share of time that attempts may take, in (0, 1]
   * @param conflict ε, the chance that an attempt may meet a conflict, in (0, 1)
   * @param smoothing α, the weight of the newest fragile window, in (0, 1]
   * @param jitter ρ, by what share a gap is at most prolonged at random, 0 or more
   */
  public record Budgets(double overhead, double conflict, double smoothing, double jitter) {
    /** The paper's conflict budget for end-to-end runs, §7.1; it leaves the others open. */
    public static final Budgets DEFAULT = new Budgets(0.1, 0.2, 0.2, 0.2);

    public Budgets {
      require(overhead > 0 && overhead <= 1, "overhead budget δ is in (0, 1]", overhead);
      require(conflict > 0 && conflict < 1, "conflict budget ε is in (0, 1)", conflict);
      require(smoothing > 0 && smoothing <= 1, "smoothing α is in (0, 1]", smoothing);
      require(jitter >= 0 && jitter <= 10, "jitter ρ is in [0, 10]", jitter);
    }

    private static void require(boolean isRight, String rule, double value) {
      if (!isRight) {
        throw new InvalidRequest("the %s, not %s".formatted(rule, value));
      }
    }
  }

  /**
   * The policy of a producer that has just opened.
   *
   * @param tauNanos a fragile window measured meanwhile, such as that of the opening itself
   */
  public static DacPolicy start(Budgets budgets, long tauNanos) {
    return new DacPolicy(budgets, tauNanos, 0);
  }

  @Override
  public long waitNanos(int pendingTgbs, long sinceAttemptNanos) {
    return Math.max(0, gapNanos - sinceAttemptNanos);
  }

  @Override
  public DacPolicy after(Attempt attempt) {
    double alpha = budgets.smoothing();
    double tau = (1 - alpha) * tauNanos + alpha * attempt.fragileWindowNanos();
    double gap = leastGap(tau, attempt.activeProducers());
    double jittered = gap * (1 + budgets.jitter() * attempt.uniform());
    return new DacPolicy(budgets, tau, Math.round(jittered));
  }

  /** T*, equation 9: the smallest gap within both budgets, in nanoseconds. */
  private double leastGap(double tau, int producers) {
    double conflictGap =
        Math.max(0, (producers - 1) * tau / -Math.log1p(-budgets.conflict()) - tau);
    double overheadGap = (1 - budgets.overhead()) / budgets.overhead() * tau;
    return Math.max(conflictGap, overheadGap);
  }
}
