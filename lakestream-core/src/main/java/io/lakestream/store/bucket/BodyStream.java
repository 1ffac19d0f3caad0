// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store.bucket;

import io.lakestream.store.Body;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The bytes of a body as a stream. Each has positions of its own, so that every attempt of a
 * request reads the body from its start. For use by one thread.
 */
public final class BodyStream extends InputStream {
  private final List<ByteBuffer> buffers;
  private int current;

  /** Stands at the start of {@code body}. */
  public BodyStream(Body body) {
    this.buffers = body.buffers();
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
