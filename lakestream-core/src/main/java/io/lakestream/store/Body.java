// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The bytes of one put: a sequence of read-only buffers, sent back to back. Immutable and safe for
 * use by several threads, as long as nobody writes to the memory behind the buffers; a store may
 * read them until every attempt of the put has ended, so they are never pooled.
 */
public final class Body {
  private final List<ByteBuffer> buffers;
  private final long length;

  private Body(List<ByteBuffer> buffers) {
    this.buffers = buffers;
    this.length = buffers.stream().mapToLong(ByteBuffer::remaining).sum();
  }

  /** A body of the remaining bytes of {@code buffers}, whose positions are not moved. */
  public static Body of(ByteBuffer... buffers) {
    return of(Arrays.asList(buffers));
  }

  /** A body of the remaining bytes of {@code buffers}, whose positions are not moved. */
  public static Body of(List<ByteBuffer> buffers) {
    return new Body(buffers.stream().map(ByteBuffer::asReadOnlyBuffer).toList());
  }

  /** A body of one array, which must not be written to afterwards. */
  public static Body of(byte[] bytes) {
    return of(ByteBuffer.wrap(bytes));
  }

  /** Length in bytes. */
  public long length() {
    return length;
  }

  /** The buffers in order, read-only, with positions of their own: each call returns new ones. */
  public List<ByteBuffer> buffers() {
    return buffers.stream().map(ByteBuffer::duplicate).toList();
  }

  /**
   * The bytes in one array of their own.
   *
   * @throws ArithmeticException if the body is longer than an array can be
   */
  public byte[] toArray() {
    byte[] bytes = new byte[Math.toIntExact(length)];
    int position = 0;
    for (ByteBuffer buffer : buffers()) {
      int count = buffer.remaining();
      buffer.get(bytes, position, count);
      position += count;
    }
    return bytes;
  }
}
