// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A raw batch has every slice once, and whatever is wrong is told by (d,c). */
class RawTgbBuilderTest {
  private static final Mesh MESH = new Mesh(2, 2);

  private static ByteBuffer bytes(int length) {
    return ByteBuffer.allocate(length);
  }

  private static RawTgbBuilder three() {
    return Tgb.raw(MESH).slice(0, 0, bytes(1)).slice(0, 1, bytes(2)).slice(1, 1, bytes(4));
  }

  @Test
  void slicesMayComeInAnyOrder() {
    Tgb tgb = three().slice(1, 0, bytes(3), Rows.of(5, 6)).build();
    assertThat(tgb.slices()).extracting(Tgb.Slice::bytes).containsExactly(1L, 2L, 3L, 4L);
    assertThat(tgb.slices().get(2).rows()).isEqualTo(Rows.of(5, 6));
    assertThat(tgb.slices().get(3).rows()).isEqualTo(Rows.UNKNOWN);
    assertThat(tgb.bytes()).isEqualTo(10);
    assertThat(tgb.schema()).isEqualTo(Schema.RAW);
    assertThat(tgb.mesh()).isEqualTo(MESH);
    assertThat(tgb.cpLayout()).isEqualTo(CpLayout.OPAQUE);
    assertThat(tgb.provenance()).isEmpty();
  }

  @Test
  void aMissingSliceIsNamed() {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(three()::build)
        .withMessage("slice (1,0) of the 2x2 batch is missing");
  }

  @Test
  void anEmptySliceIsNamed() {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(three().slice(1, 0, bytes(0))::build)
        .withMessage("slice (1,0) of the batch is empty");
  }

  @Test
  void aSliceOutsideTheMeshIsNamed() {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> three().slice(2, 0, bytes(1)))
        .withMessage("slice (2,0) lies outside the 2x2 mesh");
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> three().slice(0, 2, bytes(1)))
        .withMessageContaining("slice (0,2)");
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> three().slice(0, -1, bytes(1)))
        .withMessageContaining("(0,-1)");
  }

  @Test
  void aSliceSetTwiceIsNamed() {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> three().slice(0, 1, bytes(1)))
        .withMessage("slice (0,1) was set twice");
  }

  @Test
  void aSliceIsTheRemainingBytesOfItsBuffer() {
    ByteBuffer data = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}).position(1).limit(4);
    Tgb tgb = Tgb.raw(new Mesh(1, 1)).slice(0, 0, data).build();
    assertThat(tgb.slices().get(0).blocks()).containsExactly(ByteBuffer.wrap(new byte[] {2, 3, 4}));
    assertThat(data.position()).isEqualTo(1);
  }

  @Test
  void provenanceAndLayoutAreTheUsersOwn() {
    Tgb tgb =
        Tgb.raw(new Mesh(1, 1))
            .slice(0, 0, bytes(1))
            .cpLayout(CpLayout.ZIGZAG)
            .provenance(bytes(3))
            .build();
    assertThat(tgb.cpLayout()).isEqualTo(CpLayout.ZIGZAG);
    assertThat(tgb.provenance()).contains(bytes(3));
  }

  @Test
  void rowsThatCannotBeAreRefused() {
    Rows.Row row = new Rows.Row(0, 1, 1);
    assertThat(new Rows(1, 1, List.of(row, row)).count()).isEqualTo(2);
    for (Runnable bad :
        List.<Runnable>of(
            () -> Rows.of(-1, 0).count(),
            () -> Rows.of(0, -1).count(),
            () -> Rows.of(Integer.MAX_VALUE, 1).count(),
            () -> new Rows(2, 0, List.of(row)).count(),
            () -> new Rows.Row(-1, 0, 0).tokens(),
            () -> new Rows.Row(0, -1, 0).tokens(),
            () -> new Rows.Row(0, 0, -1).tokens())) {
      assertThatExceptionOfType(InvalidRequest.class).isThrownBy(bad::run);
    }
    assertThat(Rows.of(Integer.MAX_VALUE, 0).count()).isEqualTo(Integer.MAX_VALUE);
  }
}
