// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallLimitTest {
  private final CallLimit limit = new CallLimit(64);

  private List<Long> begin(int calls) {
    List<Long> begun = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      begun.add(limit.begin());
    }
    return begun;
  }

  /** Calls that are answered while as many as are allowed are under way. */
  private double roundsUntil(int allowed) {
    double rounds = 0;
    while (limit.allowed() < allowed) {
      while (limit.isFree()) {
        long unused = limit.begin();
      }
      limit.answered();
      rounds += 1.0 / limit.allowed();
    }
    return rounds;
  }

  @Test
  void asManyAsThereEverMayBeAreAllowedUntilOneIsRefused() {
    List<Long> unused = begin(63);
    assertThat(limit.isFree()).isTrue();
    unused = begin(1);
    assertThat(limit.isFree()).isFalse();
    limit.answered();
    assertThat(limit.isFree()).isTrue();
    assertThat(limit.allowed()).isEqualTo(64);
  }

  @Test
  void aRefusalHalvesOnceForAllThatWereUnderWay() {
    for (long begun : begin(64)) {
      limit.throttled(begun);
    }
    assertThat(limit.allowed()).isEqualTo(32);
    limit.throttled(limit.begin());
    assertThat(limit.allowed()).as("half of the one that was tried").isEqualTo(1);
  }

  @Test
  void fewCallsThatAreRefusedAreHalvedNotWhatIsAllowed() {
    for (long begun : begin(8)) {
      limit.throttled(begun);
    }
    assertThat(limit.allowed()).isEqualTo(4);
  }

  @Test
  void oneCallIsAlwaysAllowed() {
    for (int i = 0; i < 20; i++) {
      limit.throttled(limit.begin());
    }
    assertThat(limit.allowed()).isEqualTo(1);
    assertThat(limit.isFree()).isTrue();
  }

  @Test
  void answersRaiseItByOneInTenRounds() {
    limit.throttled(limit.begin());
    assertThat(roundsUntil(2)).isBetween(10.0, 16.0);
    assertThat(roundsUntil(8)).isBetween(55.0, 75.0);
    assertThat(roundsUntil(64)).isBetween(540.0, 620.0);
    assertThat(roundsUntil(64)).isZero();
  }

  @Test
  void itIsNeverRaisedAboveTheMost() {
    for (int i = 0; i < 10_000; i++) {
      for (Long ignored : begin(64)) {
        limit.answered();
      }
    }
    assertThat(limit.allowed()).isEqualTo(64);
  }

  @Test
  void whatIsNotMadeUseOfIsNotRaised() {
    for (long begun : begin(64)) {
      limit.throttled(begun);
    }
    for (int i = 0; i < 10_000; i++) {
      long unused = limit.begin();
      limit.answered();
    }
    assertThat(limit.allowed()).isEqualTo(32);
  }

  @Test
  void aFailureThatSaysNothingChangesNothing() {
    for (Long ignored : begin(64)) {
      limit.ended();
    }
    assertThat(limit.allowed()).isEqualTo(64);
    assertThat(limit.isFree()).isTrue();
  }
}
