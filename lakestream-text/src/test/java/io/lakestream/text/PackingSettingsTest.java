// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.model.CpLayout;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.SequenceCut;
import io.lakestream.model.TensorSpec;
import org.junit.jupiter.api.Test;

class PackingSettingsTest {
  private static final Mesh MESH = new Mesh(3, 2);

  @Test
  void settingsSayWhatABatchIs() {
    PackingSettings settings = new PackingSettings(MESH, CpLayout.ZIGZAG, 16, 5, 4);
    assertThat(settings.batchTokens()).isEqualTo(3 * 5 * 16);
    assertThat(settings.cut()).isEqualTo(new SequenceCut(CpLayout.ZIGZAG, 2, 4));
    assertThat(settings.schema().tensors())
        .extracting(TensorSpec::toString)
        .containsExactly(
            "TensorSpec[name=tokens, dtype=I32, shape=[-1, 16], kind=SEQUENCE]",
            "TensorSpec[name=row_lengths, dtype=I32, shape=[-1], kind=ROWS]",
            "TensorSpec[name=cu_seqlens, dtype=I32, shape=[-1], kind=SHARED]");
  }

  @Test
  void badSettingsAreRefusedWithWhatToChange() {
    assertRefused(CpLayout.OPAQUE, 16, 1, 2, "choose contiguous or zigzag");
    assertRefused(CpLayout.ZIGZAG, 17, 1, 2, "use a multiple of 4, such as 20");
    assertRefused(CpLayout.ZIGZAG, 2, 1, 2, "use a multiple of 4, such as 4");
    assertRefused(CpLayout.CONTIGUOUS, 0, 1, 2, "use a multiple of 4, such as 4");
    assertRefused(CpLayout.CONTIGUOUS, -8, 1, 2, "use a multiple of 4, such as 4");
    assertRefused(CpLayout.CONTIGUOUS, 16, 0, 2, "cannot have 0 rows of a batch; use 1 or more");
    assertRefused(CpLayout.CONTIGUOUS, 16, 1, 3, "even number of sequence blocks, not 3");
    assertRefused(CpLayout.CONTIGUOUS, 16, 1, 0, "even number of sequence blocks, not 0");
    assertRefused(CpLayout.CONTIGUOUS, Integer.MAX_VALUE, 1, 2, "use fewer or shorter rows");
    int longest = PackingSettings.REPLICA_TOKENS_MAX / 3;
    assertRefused(CpLayout.CONTIGUOUS, longest, 3, 2, "such as " + longest / 4 * 4);
    assertRefused(CpLayout.CONTIGUOUS, 1 << 20, 257, 2, "use fewer or shorter rows");
  }

  private static void assertRefused(
      CpLayout layout, int sequenceLength, int rows, int blocks, String why) {
    assertThatThrownBy(() -> new PackingSettings(MESH, layout, sequenceLength, rows, blocks))
        .isInstanceOf(InvalidRequest.class)
        .hasMessageContaining(why);
  }
}
