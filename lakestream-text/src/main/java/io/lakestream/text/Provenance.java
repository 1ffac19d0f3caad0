// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What a batch was made of. The first line is {@code encoding NAME}, the vocabulary. For each
 * document follows a line {@code name:from-to}, the range of its tokens, {@code to} excluded.
 * Control characters of a name are shown as question marks. Lines beyond the limit are left out,
 * and a last line {@code …} says so.
 */
public final class Provenance {
  /** What a batch may carry inline. */
  static final int BYTES_MAX = 64 * 1024;

  private static final String ENCODING = "encoding ";

  private static final byte[] MORE = "…\n".getBytes(StandardCharsets.UTF_8);

  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
  private boolean isTruncated;
  private long document = -1;
  private String name = "";
  private int from;
  private int to;

  Provenance(String encoding) {
    lines.writeBytes((ENCODING + shown(encoding) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Name of the vocabulary that a batch was packed with, if its provenance says so. */
  public static Optional<String> encoding(ByteBuffer provenance) {
    String text = StandardCharsets.UTF_8.decode(provenance.duplicate()).toString();
    return text.lines()
        .findFirst()
        .filter(line -> line.startsWith(ENCODING))
        .map(line -> line.substring(ENCODING.length()));
  }

  private static String shown(String name) {
    return name.replaceAll("\\p{Cntrl}", "?");
  }

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
    String line = shown(name) + ":" + from + "-" + to + "\n";
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    isTruncated = lines.size() + bytes.length > BYTES_MAX - MORE.length;
    lines.writeBytes(isTruncated ? MORE : bytes);
  }
}
