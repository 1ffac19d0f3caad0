// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Which documents a batch was made of: for each a line {@code name:from-to}, the range of its
 * tokens, {@code to} excluded. Control characters of a name are shown as question marks. Lines
 * beyond the limit are left out, and a last line {@code …} says so.
 */
final class Provenance {
  /** What a batch may carry inline. */
  static final int BYTES_MAX = 64 * 1024;

  private static final byte[] MORE = "…\n".getBytes(StandardCharsets.UTF_8);

  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
  private boolean isTruncated;
  private long document = -1;
  private String name = "";
  private int from;
  private int to;

  /** Adds a run of tokens, which may go on where the last one ended. */
  void add(Document source, int start, int count) {
    if (source.index() != document) {
      writeLine();
      document = source.index();
      name = source.name();
      from = start;
    }
    to = start + count;
  }

  /** All that was added. Call it once. */
  ByteBuffer finish() {
    writeLine();
    return ByteBuffer.wrap(lines.toByteArray());
  }

  private void writeLine() {
    if (document < 0 || isTruncated) {
      return;
    }
    String line = name.replaceAll("\\p{Cntrl}", "?") + ":" + from + "-" + to + "\n";
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    isTruncated = lines.size() + bytes.length > BYTES_MAX - MORE.length;
    lines.writeBytes(isTruncated ? MORE : bytes);
  }
}
