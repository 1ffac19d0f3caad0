// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The first line and the headers of a request or a reply, byte for byte as they came. */
final class HttpHead {
  /** Several times what servers take. */
  private static final int BYTES_MAX = 256 << 10;

  private final byte[] bytes;

  private HttpHead(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The next head, or empty if the stream ends before it. */
  static Optional<HttpHead> read(InputStream in) throws IOException {
    in.mark(1);
    if (in.read() < 0) {
      return Optional.empty();
    }
    in.reset();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] line;
    do {
      line = readLine(in);
      bytes.write(line);
      if (bytes.size() > BYTES_MAX) {
        throw new IOException("a head of more than %d bytes".formatted(BYTES_MAX));
      }
    } while (line.length > 2);
    return Optional.of(new HttpHead(bytes.toByteArray()));
  }

  /** A line with its end. */
  static byte[] readLine(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next;
    do {
      next = in.read();
      if (next < 0) {
        throw new EOFException("a message that ends in the middle of a line");
      }
      line.write(next);
      if (line.size() > BYTES_MAX) {
        throw new IOException("a line of more than %d bytes".formatted(BYTES_MAX));
      }
    } while (next != '\n');
    return line.toByteArray();
  }

  /** All of it, with the empty line at its end. */
  byte[] bytes() {
    return bytes.clone();
  }

  private List<String> lines() {
    return new String(bytes, ISO_8859_1).lines().toList();
  }

  /** A part of the first line: of a request, method and target are the first two. */
  private String word(int index) {
    String[] words = lines().get(0).split(" ", 3);
    return index < words.length ? words[index] : "";
  }

  String method() {
    return word(0);
  }

  String target() {
    return word(1);
  }

  /** The status of a reply. */
  int status() throws IOException {
    try {
      return Integer.parseInt(word(1));
    } catch (NumberFormatException e) {
      throw new IOException("not the first line of a reply: " + lines().get(0), e);
    }
  }

  /** The value of a header in lower case. */
  Optional<String> header(String name) {
    return lines().stream()
        .skip(1)
        .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
        .map(line -> line.substring(name.length() + 1).strip().toLowerCase(Locale.ROOT))
        .findFirst();
  }

  boolean has(String name, String value) {
    return header(name).filter(found -> found.contains(value)).isPresent();
  }

  /** Whether nothing follows on the connection by the wish of who sent it. */
  boolean isLast() {
    return has("connection", "close") || lines().get(0).contains("HTTP/1.0");
  }
}
