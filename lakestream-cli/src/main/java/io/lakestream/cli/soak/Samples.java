// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.model.Cell;
import io.lakestream.model.Mesh;
import io.lakestream.model.RawTgbBuilder;
import io.lakestream.model.Tgb;
import io.lakestream.text.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * The input of the producers, which needs no memory: the bytes of a sample follow from its producer
 * and its number, so that whoever reads them can tell whether they are right.
 */
final class Samples {
  /** Small, so that many steps happen, and of all lengths, so that a mix-up cannot pass. */
  private static final int BYTES_MIN = 64;

  private static final int BYTES_MAX = 2_048;

  private Samples() {}

  /** A sample as a batch: each slice has bytes of its own. */
  static Tgb batch(Mesh mesh, String producer, long sample) {
    RawTgbBuilder batch = Tgb.raw(mesh);
    for (int i = 0; i < mesh.cells(); i++) {
      Cell cell = mesh.cell(i);
      batch.slice(cell.d(), cell.c(), ByteBuffer.wrap(slice(producer, sample, cell)));
    }
    return batch.build();
  }

  /** The bytes of a slice of a sample. */
  static byte[] slice(String producer, long sample, Cell cell) {
    String name = "%s %d %s".formatted(producer, sample, cell);
    CRC32C seed = new CRC32C();
    seed.update(name.getBytes(StandardCharsets.UTF_8));
    // The sample's number itself, as two of them may have the same checksum.
    SplittableRandom random = new SplittableRandom(seed.getValue() + (sample << Integer.SIZE));
    byte[] bytes = new byte[random.nextInt(BYTES_MIN, BYTES_MAX)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** SHA-256 of a slice of a sample, in hexadecimal. */
  static String sha256(String producer, long sample, Cell cell) {
    return new Sha256().add(slice(producer, sample, cell)).hex();
  }

  /** The offset that a producer gives to a sample: the number of the next one. */
  static String offset(long sample) {
    return Long.toString(sample + 1);
  }
}
