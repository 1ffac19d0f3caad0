// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.lakestream.model.InvalidRequest;
import io.lakestream.policy.CommitPolicy.Attempt;
import io.lakestream.policy.DacPolicy.Budgets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Algorithm 1 and equations 2 to 10 of the paper, by numbers worked out by hand. */
final class DacPolicyTest {
  private static final long MILLI = 1_000_000;
  private static final Budgets NO_JITTER = new Budgets(0.1, 0.05, 0.2, 0);

  private static Attempt attempt(long tauMillis, int producers, double uniform) {
    return new Attempt(tauMillis * MILLI, true, producers, uniform);
  }

  @Test
  void theFirstAttemptIsDueAtOnce() {
    assertThat(DacPolicy.start(NO_JITTER, 50 * MILLI).waitNanos(1, 0)).isZero();
  }

  @Test
  void theMovingAverageIsUpdatedByEveryAttemptWhateverItsOutcome() {
    DacPolicy policy = DacPolicy.start(NO_JITTER, 100 * MILLI);
    DacPolicy won = policy.after(new Attempt(200 * MILLI, true, 1, 0));
    DacPolicy lost = policy.after(new Attempt(200 * MILLI, false, 1, 0));
    assertThat(won.tauNanos()).isCloseTo(0.8 * 100 * MILLI + 0.2 * 200 * MILLI, within(1.0));
    assertThat(lost).isEqualTo(won);
  }

  @ParameterizedTest
  @CsvSource({
    // τ̂ 50 ms; N; T_conf = (N-1)·τ̂/0.051293 − τ̂; T_cost = 9·τ̂ = 450 ms; the larger is the gap
    "1, 450.0",
    "2, 924.786",
    "32, 30168.36",
    "128, 123748.40",
  })
  void theGapIsTheSmallestThatKeepsBothBudgets(int producers, double gapMillis) {
    DacPolicy policy = DacPolicy.start(NO_JITTER, 50 * MILLI).after(attempt(50, producers, 0.7));
    assertThat(policy.gapNanos() / 1e6).isCloseTo(gapMillis, within(gapMillis * 1e-4));
    assertThat(policy.waitNanos(1, 0)).isEqualTo(policy.gapNanos());
    assertThat(policy.waitNanos(1, policy.gapNanos() - 5)).isEqualTo(5);
    assertThat(policy.waitNanos(1, policy.gapNanos() + 5)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"2", "8", "128", "512"})
  void theGapMeetsTheConflictBudgetOfTheModelAndNotMuchMore(int producers) {
    DacPolicy policy = DacPolicy.start(NO_JITTER, 80 * MILLI).after(attempt(80, producers, 0));
    double tau = policy.tauNanos();
    double conflict = 1 - Math.exp(-(producers - 1) * tau / (policy.gapNanos() + tau));
    double duty = tau / (policy.gapNanos() + tau);
    assertThat(duty).isLessThanOrEqualTo(0.1 + 1e-6);
    assertThat(conflict).isCloseTo(0.05, within(1e-4));
  }

  @Test
  void jitterProlongsTheGapByItsShareAtMost() {
    Budgets budgets = new Budgets(0.1, 0.05, 0.2, 0.5);
    DacPolicy start = DacPolicy.start(budgets, 50 * MILLI);
    assertThat(start.after(attempt(50, 1, 0)).gapNanos()).isEqualTo(450 * MILLI);
    assertThat(start.after(attempt(50, 1, 0.5)).gapNanos())
        .isCloseTo((long) (450 * MILLI * 1.25), within(2L));
    assertThat(start.after(attempt(50, 1, 0.999999)).gapNanos())
        .isBetween(674 * MILLI, 675 * MILLI);
  }

  @Test
  void theGapFollowsTheFragileWindowAsItGrows() {
    DacPolicy policy = DacPolicy.start(NO_JITTER, 10 * MILLI);
    long before = policy.after(attempt(10, 8, 0)).gapNanos();
    for (int i = 0; i < 50; i++) {
      policy = policy.after(attempt(100, 8, 0));
    }
    assertThat(policy.gapNanos()).isCloseTo(10 * before, within(before / 10));
  }

  @ParameterizedTest
  @CsvSource({
    "0,0.05,0.2,0.2",
    "1.1,0.05,0.2,0.2",
    "0.1,0,0.2,0.2",
    "0.1,1,0.2,0.2",
    "0.1,0.05,0,0.2",
    "0.1,0.05,1.5,0.2",
    "0.1,0.05,0.2,-1",
    "NaN,0.05,0.2,0.2"
  })
  void budgetsOutsideTheirRangesAreRefused(double delta, double epsilon, double alpha, double rho) {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> new Budgets(delta, epsilon, alpha, rho));
  }

  @Test
  void theNaivePolicyIsAlwaysDue() {
    CommitPolicy policy = PolicyStart.naive().start(50 * MILLI);
    assertThat(policy.waitNanos(1, 0)).isZero();
    assertThat(policy.after(attempt(50, 100, 0.5)).waitNanos(7, 0)).isZero();
  }

  @Test
  void theDefaultIsDacFromTheMeasuredWindow() {
    assertThat(PolicyStart.dac().start(7)).isEqualTo(DacPolicy.start(Budgets.DEFAULT, 7));
  }
}
