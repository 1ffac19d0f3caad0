// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RecentMapTest {
  private final RecentMap<String, Integer> map = new RecentMap<>(2);

  @Test
  void whatWasNotUsedForLongestIsForgotten() {
    map.put("a", 1);
    map.put("b", 2);
    assertThat(map.get("a")).contains(1);
    map.put("c", 3);
    assertThat(map.has("b")).isFalse();
    assertThat(map.get("a")).contains(1);
    assertThat(map.get("c")).contains(3);
  }

  @Test
  void askingWhetherAKeyIsThereIsNoUse() {
    map.put("a", 1);
    map.put("b", 2);
    assertThat(map.has("a")).isTrue();
    map.put("c", 3);
    assertThat(map.has("a")).isFalse();
  }

  @Test
  void aSourceIsAskedOnceUnlessItHasNothing() throws IOException {
    assertThat(map.get("a", Optional::empty)).isEmpty();
    assertThat(map.get("a", () -> Optional.of(1))).contains(1);
    assertThat(map.get("a", () -> Optional.of(2))).contains(1);
  }
}
