// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SampleTest {
  @Test
  void summaryOfValuesInAnyOrder() {
    Sample sample = new Sample(List.of(4.0, 1.0, 2.0, 9.0));
    assertThat(sample.mean()).isEqualTo(4);
    assertThat(sample.median()).isEqualTo(3);
    assertThat(sample.quantile(0.5)).isEqualTo(2);
    assertThat(sample.quantile(0.99)).isEqualTo(9);
    assertThat(sample.quantile(0)).isEqualTo(1);
    assertThat(new Sample(List.of(3.0, 1.0, 2.0)).median()).isEqualTo(2);
  }

  @Test
  void nothingHasNoSummary() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Sample(List.of()));
  }
}
