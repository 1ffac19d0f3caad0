// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.store.StoreMetrics.Operation;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FaultsTest {
  private static final Fault DENIED = new Fault.Denied();
  private static final Fault THROTTLED = new Fault.Throttled();

  private final Faults faults = new Faults(new SplittableRandom(1));

  private int strikes(Operation operation, String key, int calls) {
    int count = 0;
    for (int i = 0; i < calls; i++) {
      count += faults.next(operation, key).isPresent() ? 1 : 0;
    }
    return count;
  }

  @Test
  void withoutRulesNothingGoesWrong() {
    assertThat(strikes(Operation.PUT, "a", 100)).isZero();
  }

  @Test
  void aRuleStrikesItsOperationsOnly() {
    faults.add(new FaultRule(Set.of(Operation.PUT, Operation.READ), "", 1, 1_000, DENIED));
    for (Operation operation : Operation.values()) {
      boolean isStruck = operation == Operation.PUT || operation == Operation.READ;
      assertThat(faults.next(operation, "a").isPresent()).isEqualTo(isStruck);
    }
  }

  @Test
  void aRuleStrikesItsKeysOnly() {
    faults.add(FaultRule.often(Operation.PUT, "a/b", 1, DENIED));
    assertThat(strikes(Operation.PUT, "a/b", 3)).isEqualTo(3);
    assertThat(strikes(Operation.PUT, "a/bc/d", 3)).isEqualTo(3);
    assertThat(strikes(Operation.PUT, "a/", 3)).isZero();
    assertThat(strikes(Operation.PUT, "b/a/b", 3)).isZero();
  }

  @Test
  void chanceZeroIsNever() {
    faults.add(FaultRule.often(Operation.PUT, "", 0, DENIED));
    assertThat(strikes(Operation.PUT, "a", 10_000)).isZero();
  }

  @Test
  void chanceOneIsAlways() {
    faults.add(FaultRule.often(Operation.PUT, "", 1, DENIED));
    assertThat(strikes(Operation.PUT, "a", 10_000)).isEqualTo(10_000);
  }

  @Test
  void aChanceIsAFrequency() {
    faults.add(FaultRule.often(Operation.PUT, "", 0.3, DENIED));
    assertThat(strikes(Operation.PUT, "a", 10_000)).isBetween(2_500, 3_500);
  }

  @Test
  void theSeedDecidesWhichCallsAreStruck() {
    assertThat(pattern(1)).isEqualTo(pattern(1)).isNotEqualTo(pattern(2));
  }

  private static String pattern(long seed) {
    Faults drawn = new Faults(new SplittableRandom(seed));
    drawn.add(FaultRule.often(Operation.PUT, "", 0.5, DENIED));
    StringBuilder pattern = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      pattern.append(drawn.next(Operation.PUT, "a").isPresent() ? 'x' : '.');
    }
    return pattern.toString();
  }

  @Test
  void aRuleStrikesAsOftenAsItMay() {
    faults.add(new FaultRule(Set.of(Operation.PUT), "", 1, 3, DENIED));
    faults.add(FaultRule.once(Operation.READ, "", DENIED));
    faults.add(new FaultRule(Set.of(Operation.LIST), "", 1, 0, DENIED));
    assertThat(strikes(Operation.PUT, "a", 100)).isEqualTo(3);
    assertThat(strikes(Operation.READ, "a", 100)).isEqualTo(1);
    assertThat(strikes(Operation.LIST, "a", 100)).isZero();
  }

  @Test
  void callsThatARuleSparesDoNotCount() {
    faults.add(new FaultRule(Set.of(Operation.PUT), "a", 0.5, 3, DENIED));
    assertThat(strikes(Operation.READ, "a", 100)).isZero();
    assertThat(strikes(Operation.PUT, "b", 100)).isZero();
    assertThat(strikes(Operation.PUT, "a", 100)).isEqualTo(3);
  }

  @Test
  void theFirstRuleThatMayStrikes() {
    faults.add(FaultRule.once(Operation.PUT, "", DENIED));
    faults.add(FaultRule.often(Operation.PUT, "", 1, THROTTLED));
    assertThat(faults.next(Operation.PUT, "a")).contains(DENIED);
    assertThat(faults.next(Operation.PUT, "a")).contains(THROTTLED);
    assertThat(faults.next(Operation.PUT, "a")).contains(THROTTLED);
  }

  @Test
  void afterTheHealingNothingGoesWrongUntilTheNextRule() {
    faults.add(FaultRule.often(Operation.PUT, "", 1, DENIED));
    faults.heal();
    assertThat(strikes(Operation.PUT, "a", 100)).isZero();
    faults.add(FaultRule.often(Operation.PUT, "", 1, THROTTLED));
    assertThat(faults.next(Operation.PUT, "a")).contains(THROTTLED);
  }

  @Test
  void aRuleThatIsTakenBackStrikesNoMoreAndTheOthersDo() {
    FaultRule denied = FaultRule.often(Operation.PUT, "a", 1, DENIED);
    faults.add(FaultRule.often(Operation.PUT, "", 1, THROTTLED));
    faults.addFirst(denied);
    assertThat(faults.next(Operation.PUT, "a")).contains(DENIED);
    faults.remove(denied);
    faults.remove(denied);
    assertThat(faults.next(Operation.PUT, "a")).contains(THROTTLED);
  }

  @Test
  void aRuleWithoutSenseIsRefused() {
    for (double chance : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> FaultRule.often(Operation.PUT, "", chance, DENIED))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new FaultRule(Set.of(Operation.PUT), "", 1, -1, DENIED))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
