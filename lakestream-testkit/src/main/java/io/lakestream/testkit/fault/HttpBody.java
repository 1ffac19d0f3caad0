// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Where the body of a message ends, and how it is passed on byte for byte.
 *
 * @param framing what says where it ends
 * @param length its length in bytes, if that is known before
 */
record HttpBody(Framing framing, long length) {
  private static final int BUFFER_BYTES = 16 << 10;

  /** What says where a body ends. */
  enum Framing {
    LENGTH,
    CHUNKS,
    CLOSE
  }

  private static final HttpBody NONE = new HttpBody(Framing.LENGTH, 0);

  static HttpBody ofRequest(HttpHead head) throws IOException {
    return head.has("transfer-encoding", "chunked") ? chunks() : ofLength(head, NONE);
  }

  /** The body of the reply to a request of a method. */
  static HttpBody ofReply(HttpHead head, String method) throws IOException {
    int status = head.status();
    if (method.equals("HEAD") || status < 200 || status == 204 || status == 304) {
      return NONE;
    }
    return head.has("transfer-encoding", "chunked")
        ? chunks()
        : ofLength(head, new HttpBody(Framing.CLOSE, 0));
  }

  private static HttpBody chunks() {
    return new HttpBody(Framing.CHUNKS, 0);
  }

  private static HttpBody ofLength(HttpHead head, HttpBody otherwise) throws IOException {
    if (head.header("content-length").isEmpty()) {
      return otherwise;
    }
    try {
      long length = Long.parseLong(head.header("content-length").orElseThrow());
      return new HttpBody(Framing.LENGTH, length);
    } catch (NumberFormatException e) {
      throw new IOException("a content-length that is no number", e);
    }
  }

  boolean isEmpty() {
    return framing == Framing.LENGTH && length == 0;
  }

  /** Passes all of it on. */
  void relay(InputStream in, OutputStream out) throws IOException {
    switch (framing) {
      case LENGTH -> copy(in, out, length);
      case CHUNKS -> {
        boolean isMore = true;
        while (isMore) {
          isMore = relayChunk(in, out);
        }
      }
      case CLOSE -> {
        long ignored = in.transferTo(out);
      }
    }
  }

  /** Passes on half of it, of chunks half of the first, and leaves the rest. */
  void relayHalf(InputStream in, OutputStream out) throws IOException {
    switch (framing) {
      case LENGTH -> copy(in, out, length / 2);
      case CHUNKS -> copy(in, out, relaySize(in, out) / 2);
      case CLOSE -> {
        byte[] some = new byte[BUFFER_BYTES];
        int count = in.read(some);
        out.write(some, 0, Math.max(0, count / 2));
      }
    }
  }

  /** Passes on a chunk, or what is behind the last one. Whether more follow. */
  private static boolean relayChunk(InputStream in, OutputStream out) throws IOException {
    long size = relaySize(in, out);
    if (size > 0) {
      copy(in, out, size + 2);
      return true;
    }
    byte[] trailer;
    do {
      trailer = HttpHead.readLine(in);
      out.write(trailer);
    } while (trailer.length > 2);
    return false;
  }

  private static long relaySize(InputStream in, OutputStream out) throws IOException {
    byte[] line = HttpHead.readLine(in);
    out.write(line);
    String size = new String(line, ISO_8859_1).strip().replaceFirst(";.*", "").strip();
    try {
      return Long.parseLong(size, 16);
    } catch (NumberFormatException e) {
      throw new IOException("the size of a chunk is no number: " + size, e);
    }
  }

  private static void copy(InputStream in, OutputStream out, long length) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long left = length;
    while (left > 0) {
      int count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (count < 0) {
        throw new EOFException("a body that ends %d bytes too early".formatted(left));
      }
      out.write(buffer, 0, count);
      left -= count;
    }
  }
}
