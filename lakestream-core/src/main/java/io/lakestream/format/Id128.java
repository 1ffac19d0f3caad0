// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.ByteString;
import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * 128 bits that name something: a commit, or the content of an object.
 *
 * @param high the first eight bytes
 * @param low the last eight bytes
 */
public record Id128(long high, long low) {
  /** Length in bytes. */
  public static final int BYTES = 16;

  /** The first half of the SHA-256 of some bytes. */
  public static Id128 hashOf(Iterable<ByteBuffer> buffers) {
    MessageDigest digest = sha256();
    for (ByteBuffer buffer : buffers) {
      digest.update(buffer.duplicate());
    }
    return read(ByteBuffer.wrap(digest.digest()));
  }

  /** A random id, of two numbers that are drawn. */
  public static Id128 drawn(LongSupplier numbers) {
    return new Id128(numbers.getAsLong(), numbers.getAsLong());
  }

  /** The id stored at the position of a buffer, which moves past it. */
  public static Id128 read(ByteBuffer buffer) {
    ByteBuffer bytes = buffer.slice(buffer.position(), BYTES);
    buffer.position(buffer.position() + BYTES);
    return new Id128(bytes.getLong(), bytes.getLong());
  }

  /** The id in a field of a message, which must have its sixteen bytes. */
  static Id128 read(String key, String place, ByteString bytes) {
    if (bytes.size() != BYTES) {
      throw new CorruptObject(key, place, BYTES + " bytes", bytes.size() + " bytes");
    }
    return read(bytes.asReadOnlyByteBuffer());
  }

  static Id128 of(UUID uuid) {
    return new Id128(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  UUID toUuid() {
    return new UUID(high, low);
  }

  /** The sixteen bytes of the id. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
  }

  /** 32 lower-case hex digits. */
  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
