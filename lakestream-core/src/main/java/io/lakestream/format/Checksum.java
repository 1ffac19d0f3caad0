// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** CRC32C (Castagnoli), the checksum of everything stored. */
public final class Checksum {
  private Checksum() {}

  /** Checksum of the remaining bytes of a buffer, whose position is not moved. */
  public static int of(ByteBuffer buffer) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate());
    return (int) crc.getValue();
  }

  /** Eight hex digits, as messages show a checksum. */
  public static String text(int crc) {
    return "crc32c " + HexFormat.of().toHexDigits(crc);
  }
}
