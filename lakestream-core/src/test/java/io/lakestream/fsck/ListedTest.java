// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.store.ObjectEntry;
import org.junit.jupiter.api.Test;

/** What is listed is told apart by whether something refers to it. */
final class ListedTest {
  @Test
  void anObjectKeepsItsLengthHoweverOftenItIsReferredTo() {
    Listed listed = new Listed();
    for (int i = 1; i <= 6; i++) {
      listed.add(new ObjectEntry("data/" + (9 - i), i));
    }
    assertThat(listed.refer("data/8")).isEqualTo(1);
    assertThat(listed.refer("data/8")).isEqualTo(1);
    assertThat(listed.refer("data/6")).isEqualTo(3);
    assertThat(listed.refer("data/0")).isZero();
    Tally rest = listed.unreferenced();
    assertThat(rest.objects()).isEqualTo(4);
    assertThat(rest.bytes()).isEqualTo(2 + 4 + 5 + 6);
    assertThat(rest.examples()).containsExactly("data/3", "data/4", "data/5");
  }
}
