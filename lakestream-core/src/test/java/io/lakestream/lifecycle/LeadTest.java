// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.policy.LagLimits;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How much producers may add, alone and together. */
final class LeadTest {
  private static final long NONE = LagLimits.NONE.lagMax();
  private static final int SEEDS = 2_000;

  @Test
  void theNarrowerLimitCounts() {
    Lead lead = new Lead(100, 150, 140, 20);
    assertThat(lead.room(new LagLimits(80, NONE))).isEqualTo(20);
    assertThat(lead.room(new LagLimits(80, 15))).isEqualTo(5);
    assertThat(lead.room(new LagLimits(NONE, 15))).isEqualTo(5);
    assertThat(lead.room(new LagLimits(50, 5))).isEqualTo(-10);
    assertThat(lead.room(LagLimits.NONE)).isGreaterThan(1L << 60);
  }

  @Test
  void oneProducerGetsAllAndOneOfSeveralAPartOrAStep() {
    LagLimits limits = new LagLimits(80, NONE);
    assertThat(new Lead(0, 0, 0, 0).share(limits, 1)).isEqualTo(80);
    assertThat(new Lead(0, 0, 0, 0).share(limits, 4)).isEqualTo(80 / 7);
    assertThat(new Lead(0, 0, 0, 0).share(limits, 1_000)).isEqualTo(1);
    assertThat(new Lead(0, 0, 79, 0).share(limits, 4)).isEqualTo(1);
    assertThat(new Lead(0, 0, 80, 0).share(limits, 4)).isZero();
    assertThat(new Lead(0, 0, 85, 0).share(limits, 4)).isZero();
    assertThat(new Lead(0, 0, 70, 10).share(limits, 1)).isZero();
  }

  @Test
  void whatIsOnTheWayCountsAsPartOfIt() {
    LagLimits limits = new LagLimits(80, NONE);
    assertThat(new Lead(0, 0, 0, 8).share(limits, 4)).isEqualTo(80 / 7 - 8);
    assertThat(new Lead(0, 0, 0, 11).share(limits, 4)).isZero();
    assertThat(new Lead(0, 0, 0, 20).share(limits, 4)).isZero();
    assertThat(new Lead(0, 0, 0, 20).room(limits)).isEqualTo(60);
  }

  /** Producers of one stream, who write, publish and look in an order drawn from a seed. */
  private static final class Crowd {
    private final Random random;
    private final LagLimits limits;
    private final int pendingMax;
    private final int[] pending;
    private final long[] unused;
    private long published;

    Crowd(long seed) {
      random = new Random(seed);
      limits = new LagLimits(1 + random.nextInt(200), NONE);
      pendingMax = 1 + random.nextInt(random.nextBoolean() ? 8 : 200);
      pending = new int[1 + random.nextInt(12)];
      unused = new long[pending.length];
    }

    /** Whether a producer wrote or published something. */
    boolean acts(int producer) {
      if (pending[producer] == pendingMax || (pending[producer] > 0 && random.nextInt(4) == 0)) {
        published += pending[producer];
        pending[producer] = 0;
        return true;
      }
      if (unused[producer] == 0) {
        Lead lead = new Lead(0, 0, published, pending[producer]);
        unused[producer] = lead.share(limits, pending.length);
      }
      if (unused[producer] == 0) {
        return false;
      }
      unused[producer]--;
      pending[producer]++;
      return true;
    }

    void actUntilIdle(int awake) {
      int idle = 0;
      while (idle < 100 * awake) {
        idle = acts(random.nextInt(awake)) ? 0 : idle + 1;
      }
    }

    long written() {
      return published + IntStream.of(pending).sum();
    }

    long writtenMax() {
      int others = pending.length - 1;
      return limits.lagMax() + Math.max(others, others * limits.lagMax() / (2L * others + 1));
    }
  }

  @Test
  void producersTogetherReachALimitAndExceedItByLessThanHalf() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Crowd crowd = new Crowd(seed);
      int producers = crowd.pending.length;
      IntStream.range(0, producers).forEach(crowd::acts);
      crowd.actUntilIdle(1 + crowd.random.nextInt(producers)); // The others are asleep.
      crowd.actUntilIdle(producers);
      assertThat(crowd.written())
          .as("seed %d", seed)
          .isBetween(crowd.limits.lagMax(), crowd.writtenMax());
    }
  }
}
