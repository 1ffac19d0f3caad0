// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.model.Cell;
import io.lakestream.model.Mesh;
import io.lakestream.model.Tgb;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The bytes of a sample can be worked out again, and no two slices have the same. */
class SamplesTest {
  @Test
  void aSliceHasTheSameBytesAgain() {
    Cell cell = new Cell(1, 0);
    assertThat(Samples.slice("p", 3, cell)).isEqualTo(Samples.slice("p", 3, cell));
    assertThat(Samples.slice("p", 3, cell)).hasSizeBetween(64, 2_048);
  }

  @Test
  void slicesOfOtherProducersSamplesAndCellsHaveOtherBytes() {
    Set<String> hashes = new TreeSet<>();
    int count = 0;
    for (String producer : new String[] {"producer-0", "producer-1"}) {
      for (long sample = 0; sample < 500; sample++) {
        for (int c = 0; c < 2; c++) {
          hashes.add(Samples.sha256(producer, sample, new Cell(0, c)));
          count++;
        }
      }
    }
    assertThat(hashes).hasSize(count);
  }

  @Test
  void aBatchHasTheSlicesOfItsSample() {
    Tgb batch = Samples.batch(new Mesh(1, 2), "p", 3);
    int bytes =
        Samples.slice("p", 3, new Cell(0, 0)).length + Samples.slice("p", 3, new Cell(0, 1)).length;
    assertThat(batch.bytes()).isGreaterThanOrEqualTo(bytes);
  }
}
