// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Goes through the lines of a {@code .jsonl} file, each a JSON object with the text in a field. */
final class JsonLines implements Closeable {
  private static final int BUFFER_BYTES = 64 * 1024;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(TextBytes.DOCUMENT_BYTES_MAX).build())
          .build();

  private final Entry entry;
  private final String field;
  private final int lineBytesMax;
  private final InputStream stream;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final ByteArrayOutputStream current = new ByteArrayOutputStream();
  private int bufferStart;
  private int bufferEnd;
  private long line;
  private long lineStart;
  private long nextStart;

  JsonLines(Entry entry, InputStream stream, String field, int lineBytesMax) {
    this.entry = entry;
    this.stream = stream;
    this.field = field;
    this.lineBytesMax = lineBytesMax;
  }

  /** Goes to the next line; false at the end. */
  boolean advance() throws IOException {
    current.reset();
    lineStart = nextStart;
    boolean isEnded = false;
    while (!isEnded && fill()) {
      int end = bufferStart;
      while (end < bufferEnd && buffer[end] != '\n') {
        end++;
      }
      isEnded = end < bufferEnd;
      append(end - bufferStart);
      bufferStart = isEnded ? end + 1 : end;
    }
    nextStart = lineStart + current.size() + (isEnded ? 1 : 0);
    line++;
    return nextStart > lineStart;
  }

  /** Number of the current line, from 1. */
  long line() {
    return line;
  }

  /**
   * The text of the current line, or nothing if it is blank or its text is empty.
   *
   * @throws UnusableInput if the line is anything but UTF-8 and a JSON object with a text
   */
  Optional<String> text() {
    String json = TextBytes.decode(current.toByteArray(), where(), lineStart);
    if (json.isBlank()) {
      return Optional.empty();
    }
    try (JsonParser parser = JSON.createParser(json)) {
      String text = field(parser);
      if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
        throw bad("has half of a surrogate pair in field '" + field + "'");
      }
      return Optional.of(text).filter(t -> !t.isEmpty());
    } catch (JsonProcessingException e) {
      throw bad("is not valid JSON (" + e.getOriginalMessage() + ")");
    } catch (IOException e) {
      throw new AssertionError("a string was read without I/O", e);
    }
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }

  private boolean fill() throws IOException {
    if (bufferStart == bufferEnd) {
      bufferStart = 0;
      bufferEnd = Math.max(0, stream.read(buffer));
    }
    return bufferEnd > 0;
  }

  private void append(int bytes) {
    if (current.size() + bytes > lineBytesMax) {
      throw entry.tooLong(line + 1, lineBytesMax);
    }
    current.write(buffer, bufferStart, bytes);
  }

  private String field(JsonParser parser) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw bad("is not a JSON object");
    }
    Optional<String> text = Optional.empty();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      boolean isText = parser.currentName().equals(field);
      JsonToken value = parser.nextToken();
      if (!isText) {
        parser.skipChildren();
      } else if (value != JsonToken.VALUE_STRING || text.isPresent()) {
        throw bad("has a field '%s' that is no single string".formatted(field));
      } else {
        text = Optional.of(parser.getText());
      }
    }
    if (parser.nextToken() != null) {
      throw bad("has something after its JSON object");
    }
    return text.orElseThrow(() -> bad("has no field '" + field + "'"));
  }

  /** What messages call the current line. */
  String where() {
    return entry.label() + " line " + line;
  }

  private UnusableInput bad(String what) {
    return new UnusableInput(
        "%s %s; each line is a JSON object with its text in a string field '%s'"
            .formatted(where(), what, field));
  }
}
