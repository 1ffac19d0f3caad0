// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class LossPauseTest {
  private static final long WINDOW = TimeUnit.MILLISECONDS.toNanos(10);

  @Test
  void whoLostNoneDoesNotPause() {
    assertThat(LossPause.nanos(0, WINDOW, 0.9)).isZero();
  }

  @Test
  void aPauseIsARandomPartOfAWindowForEachLoss() {
    assertThat(LossPause.nanos(1, WINDOW, 0.5)).isEqualTo(WINDOW / 2);
    assertThat(LossPause.nanos(3, WINDOW, 0.5)).isEqualTo(3 * WINDOW / 2);
    assertThat(LossPause.nanos(3, WINDOW, 0)).isZero();
  }

  @Test
  void aPauseStaysWithinItsBounds() {
    assertThat(LossPause.nanos(1_000_000, WINDOW, 0.5)).isEqualTo(4 * WINDOW);
    assertThat(LossPause.nanos(8, 60 * 100 * WINDOW, 0.5)).isEqualTo(500_000_000L);
    assertThat(LossPause.nanos(1, 1, 0.5)).isEqualTo(1_000_000L);
  }
}
