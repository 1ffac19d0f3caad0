// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lakestream.model.Cell;
import io.lakestream.model.Mesh;
import io.lakestream.model.Tgb;
import java.nio.ByteBuffer;

/** Batches that say whose they are, so that a reader knows what it should have read. */
final class Payloads {
  private Payloads() {}

  static Tgb batch(Mesh mesh, String producer, long seq) {
    var builder = Tgb.raw(mesh);
    for (int i = 0; i < mesh.cells(); i++) {
      Cell cell = mesh.cell(i);
      byte[] bytes = text(producer, seq, cell).getBytes(UTF_8);
      builder.slice(cell.d(), cell.c(), ByteBuffer.wrap(bytes));
    }
    return builder.build();
  }

  static String text(String producer, long seq, Cell cell) {
    return producer + " " + seq + " " + cell;
  }

  static String text(ByteBuffer payload) {
    return UTF_8.decode(payload).toString();
  }
}
