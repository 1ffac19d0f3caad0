// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.model.CorruptObject;
import io.lakestream.model.UnsupportedFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;

/** The first 24 bytes of every object: magic, kind, format version, a count, namespace uuid. */
final class Preamble {
  static final int MAJOR = 1;
  static final int MINOR = 0;
  static final int BYTES = 24;

  private static final int MAGIC = 0x454b414c; // "LAKE", little-endian

  private Preamble() {}

  static void write(ByteBuffer target, ObjectKind kind, int count, UUID namespace) {
    target.putInt(MAGIC).put(kind.code()).put((byte) MAJOR).put((byte) MINOR).put((byte) count);
    putUuid(target, namespace);
  }

  /** Reads a preamble, checks all but the namespace's uuid, and returns the count. */
  static int read(String key, ObjectKind kind, ByteBuffer source) {
    if (source.remaining() < BYTES) {
      throw new CorruptObject(
          key, "its start", "at least " + BYTES + " bytes", source.remaining() + " bytes");
    }
    int magic = source.getInt();
    if (magic != MAGIC) {
      throw new CorruptObject(
          key, "bytes 0-3", "the magic LAKE", "%08x".formatted(Integer.reverseBytes(magic)));
    }
    byte code = source.get();
    int major = Byte.toUnsignedInt(source.get());
    if (major > MAJOR) {
      throw new UnsupportedFormat(
          "%s has format %d, this version of Lakestream reads format %d; upgrade Lakestream"
              .formatted(key, major, MAJOR));
    }
    if (major < 1 || ObjectKind.of(code).orElse(null) != kind) {
      throw new CorruptObject(
          key, "bytes 4-5", kind + " of format 1", "kind %d of format %d".formatted(code, major));
    }
    source.get(); // A newer minor version adds only what an older reader may ignore.
    return Byte.toUnsignedInt(source.get());
  }

  static void checkNamespace(String key, UUID expected, ByteBuffer source) {
    UUID found = uuid(source);
    if (!found.equals(expected)) {
      throw new CorruptObject(
          key, "bytes 8-23", "namespace " + expected, "an object of namespace " + found);
    }
  }

  static void putUuid(ByteBuffer target, UUID uuid) {
    ByteOrder order = target.order();
    target.order(ByteOrder.BIG_ENDIAN);
    target.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
    target.order(order);
  }

  static UUID uuid(ByteBuffer source) {
    ByteOrder order = source.order();
    source.order(ByteOrder.BIG_ENDIAN);
    UUID uuid = new UUID(source.getLong(), source.getLong());
    source.order(order);
    return uuid;
  }
}
