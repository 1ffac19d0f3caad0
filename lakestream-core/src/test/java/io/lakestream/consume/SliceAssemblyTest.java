// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.consume.SliceAssembly.Misfit;
import io.lakestream.consume.SliceAssembly.Piece;
import io.lakestream.model.DType;
import io.lakestream.model.Schema;
import io.lakestream.model.TensorSpec;
import io.lakestream.model.TensorSpec.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Bytes that do not fit the schema or the rows are told, never dealt. */
final class SliceAssemblyTest {
  private static final TensorSpec TOKENS =
      new TensorSpec("tokens", DType.U8, List.of(-1L, 4L), Kind.SEQUENCE);
  private static final TensorSpec LABEL =
      new TensorSpec("label", DType.U8, List.of(-1L), Kind.ROWS);
  private static final Schema SCHEMA = Schema.of(TOKENS, LABEL);

  private static ByteBuffer bytes(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length);
    for (int value : values) {
      bytes.put((byte) value);
    }
    return bytes.flip();
  }

  private static ByteBuffer labels(long length, int... values) {
    ByteBuffer whole = ByteBuffer.allocate(Long.BYTES + values.length);
    return whole.order(ByteOrder.LITTLE_ENDIAN).putLong(length).put(bytes(values)).flip();
  }

  private static Piece piece(RowRange rows, ByteBuffer block, ByteBuffer whole) {
    return new Piece(rows, List.of(block), Optional.of(whole));
  }

  @Test
  void rowsOfTwoReplicasStandBehindEachOther() throws Misfit {
    Piece first = piece(new RowRange(0, 1, 1, 2), bytes(1, 2, 3, 4), labels(2, 7, 8));
    Piece second = piece(new RowRange(1, 0, 1, 3), bytes(5, 6, 0, 0, 0, 0), labels(3, 9, 0, 0));
    assertThat(new SliceAssembly(SCHEMA, List.of(first, second)).blocks())
        .containsExactly(bytes(3, 4, 5, 6), labels(2, 8, 9));
  }

  @Test
  void whatDoesNotFitIsNoRow() {
    RowRange both = new RowRange(0, 0, 2, 2);
    Piece good = piece(both, bytes(1, 2, 3, 4), labels(2, 7, 8));
    for (Piece bad :
        List.of(
            piece(both, bytes(1, 2, 3), labels(2, 7, 8)),
            piece(both, bytes(1, 2), labels(2, 7, 8)),
            piece(both, bytes(1, 2, 3, 4), labels(3, 7, 8, 9)),
            piece(both, bytes(1, 2, 3, 4), labels(2, 7)),
            piece(both, bytes(1, 2, 3, 4), labels(-1, 7, 8)),
            piece(both, bytes(1, 2, 3, 4), bytes(1, 2, 3)))) {
      assertThatExceptionOfType(Misfit.class)
          .as("%s", bad)
          .isThrownBy(() -> new SliceAssembly(SCHEMA, List.of(good, bad)).blocks());
    }
  }
}
