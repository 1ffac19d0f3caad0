// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * The shipped code under seeds that are always the same, and under some that nobody has seen.
 * {@code lakestream sim --from S --seeds 1} repeats one; {@code -Dlakestream.seed=S} repeats all.
 */
final class HuntTest {
  private static final System.Logger LOG = System.getLogger(HuntTest.class.getName());
  private static final int AT_A_TIME = 2;

  private static void assertNothingIsWrong(long first, long count) throws InterruptedException {
    AtomicLong done = new AtomicLong();
    Hunt.Report report = new Hunt(Scenario.STREAM, first, count, AT_A_TIME, done::set).run();
    assertThat(report.failing()).isEmpty();
    assertThat(report.seeds()).isEqualTo(count);
    assertThat(report.ranTwice()).isPositive();
    assertThat(report.storeCalls()).isGreaterThan(500);
    assertThat(done).hasValue(count);
  }

  @Test
  void knownSeedsKeepEveryInvariant() throws InterruptedException {
    assertNothingIsWrong(1, 100);
  }

  @Test
  void freshSeedsKeepEveryInvariant() throws InterruptedException {
    long fresh = ThreadLocalRandom.current().nextLong(1L << 40);
    long first = Long.getLong("lakestream.seed", fresh);
    LOG.log(System.Logger.Level.INFO, "seed {0}", Long.toString(first));
    assertNothingIsWrong(first, 100);
  }
}
