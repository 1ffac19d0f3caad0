// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HedgeBudgetTest {

  private static int taken(HedgeBudget budget, int attempts, boolean isLongOverdue) {
    int taken = 0;
    for (int i = 0; i < attempts; i++) {
      if (budget.take(isLongOverdue)) {
        taken++;
      }
    }
    return taken;
  }

  @Test
  void aFullOneGivesHalfToReadsThatAreOverdueAndAllToThoseThatAreLongOverdue() {
    HedgeBudget budget = new HedgeBudget(0.05, 32);
    assertThat(taken(budget, 100, false)).isEqualTo(16);
    assertThat(taken(budget, 100, true)).isEqualTo(16);
  }

  @Test
  void readsEarnTheirShareUpToTheBound() {
    HedgeBudget budget = new HedgeBudget(0.05, 2);
    assertThat(taken(budget, 9, true)).isEqualTo(2);
    for (int i = 0; i < 19; i++) {
      budget.earn();
    }
    assertThat(budget.take(true)).isFalse();
    budget.earn();
    assertThat(budget.take(true)).isTrue();
    for (int i = 0; i < 1_000; i++) {
      budget.earn();
    }
    assertThat(taken(budget, 9, true)).isEqualTo(2);
  }

  @Test
  void whatIsGivenBackCanBeTakenAgain() {
    HedgeBudget budget = new HedgeBudget(0.05, 2);
    assertThat(taken(budget, 9, true)).isEqualTo(2);
    budget.giveBack();
    assertThat(taken(budget, 9, true)).isEqualTo(1);
  }

  /** One read in twenty is slow, and one in a hundred hangs; the slow ones ask first. */
  @Test
  void slowReadsLeaveEnoughForThoseThatHang() {
    SplittableRandom random = new SplittableRandom(1);
    HedgeBudget budget = new HedgeBudget(0.05, 32);
    int reads = 1_000_000;
    int hedges = 0;
    int unhedged = 0;
    for (int i = 0; i < reads; i++) {
      budget.earn();
      boolean hangs = random.nextDouble() < 0.01;
      boolean isSlow = hangs || random.nextDouble() < 0.05;
      if (isSlow && budget.take(false)) {
        hedges++;
      } else if (hangs && budget.take(true)) {
        hedges++;
      } else if (hangs) {
        unhedged++;
      }
    }
    assertThat(unhedged).isZero();
    assertThat(hedges).isBetween((int) (0.045 * reads), (int) (0.05 * reads) + 32);
  }
}
