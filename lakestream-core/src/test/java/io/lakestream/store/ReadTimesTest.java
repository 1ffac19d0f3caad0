// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReadTimesTest {
  private final ReadTimes times = new ReadTimes(10, 2_000);

  private void addEach(long first, long last) {
    List<Long> all = new ArrayList<>();
    for (long nanos = first; nanos <= last; nanos++) {
      all.add(nanos);
    }
    Collections.shuffle(all, new Random(1));
    all.forEach(times::add);
  }

  @Test
  void theStartValueHoldsUntilEnoughWereSeen() {
    for (int i = 1; i < ReadTimes.REFRESH; i++) {
      times.add(100);
    }
    assertThat(times.overdueNanos()).isEqualTo(2_000);
    times.add(100);
    assertThat(times.overdueNanos()).isEqualTo(101);
  }

  @Test
  void noReadIsOverdueBeforeTheFloor() {
    addEach(-1_000, -1_000 + ReadTimes.REFRESH);
    assertThat(times.overdueNanos()).isEqualTo(10);
  }

  @Test
  void aReadIsOverdueAfterTheTimeOfNinetyFiveInAHundred() {
    addEach(1, ReadTimes.WINDOW);
    assertThat(times.overdueNanos()).isEqualTo(1 + (long) Math.ceil(0.95 * ReadTimes.WINDOW));
  }

  @Test
  void theWindowForgets() {
    addEach(1_000_000, 1_000_000 + 3 * ReadTimes.WINDOW);
    for (int i = 0; i < ReadTimes.WINDOW; i++) {
      times.add(50);
    }
    assertThat(times.overdueNanos()).isEqualTo(51);
  }

  /** What is answered only after a hedge counts with all that it took. */
  @Test
  void aStoreThatBecomesSlowIsNotTakenForOneThatHangsForLong() {
    for (int i = 0; i < ReadTimes.WINDOW; i++) {
      times.add(50);
    }
    for (int i = 0; i < ReadTimes.REFRESH; i++) {
      times.add(500);
    }
    assertThat(times.overdueNanos()).isEqualTo(501);
  }
}
