// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/** Buffers as one stream, which moves their positions. */
final class BodyStream extends InputStream {
  private final List<ByteBuffer> buffers;
  private int current;

  BodyStream(List<ByteBuffer> buffers) {
    this.buffers = buffers;
  }

  @Override
  public int read() {
    skipEmpty();
    return current == buffers.size() ? -1 : buffers.get(current).get() & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    skipEmpty();
    if (current == buffers.size()) {
      return -1;
    }
    ByteBuffer buffer = buffers.get(current);
    int count = Math.min(length, buffer.remaining());
    buffer.get(target, offset, count);
    return count;
  }

  @Override
  public int available() {
    long left = buffers.stream().skip(current).mapToLong(ByteBuffer::remaining).sum();
    return (int) Math.min(left, Integer.MAX_VALUE);
  }

  private void skipEmpty() {
    while (current < buffers.size() && !buffers.get(current).hasRemaining()) {
      current++;
    }
  }
}
