// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The shipped code under seeds that are always the same, and under some that nobody has seen.
 * {@code lakestream sim --scenario NAME --from S --seeds 1} repeats one; {@code
 * -Dlakestream.seed=S} repeats all.
 */
final class HuntTest {
  private static final System.Logger LOG = System.getLogger(HuntTest.class.getName());
  private static final int AT_A_TIME = 2;

  private static void assertNothingIsWrong(Scenario scenario, long first)
      throws InterruptedException {
    long count = 100;
    AtomicLong done = new AtomicLong();
    Hunt.Report report = new Hunt(scenario, first, count, AT_A_TIME, done::set).run();
    assertThat(report.failing()).isEmpty();
    assertThat(report.seeds()).isEqualTo(count);
    assertThat(report.ranTwice()).isPositive();
    assertThat(report.storeCalls()).isGreaterThan(500);
    assertThat(done).hasValue(count);
  }

  @ParameterizedTest
  @EnumSource
  void knownSeedsKeepEveryInvariant(Scenario scenario) throws InterruptedException {
    assertNothingIsWrong(scenario, 1);
  }

  @ParameterizedTest
  @EnumSource
  void freshSeedsKeepEveryInvariant(Scenario scenario) throws InterruptedException {
    long fresh = ThreadLocalRandom.current().nextLong(1L << 40);
    long first = Long.getLong("lakestream.seed", fresh);
    LOG.log(System.Logger.Level.INFO, "{0} from seed {1}", scenario, Long.toString(first));
    assertNothingIsWrong(scenario, first);
  }
}
