// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Where a rank stands in a stream: what it saves with its checkpoint (paper §4.4). After the same
 * step it is the same on every rank, whatever was prefetched.
 *
 * @param namespace the namespace's uuid
 * @param version the manifest version that published the last step that was read, or 0
 * @param step the next step to be read
 * @param part replicas of that step whose slices were read already: 0 unless a job with fewer
 *     replicas than the stream reads a step of it in several of its own
 */
public record Cursor(UUID namespace, long version, long step, int part) {
  private static final int FORMAT = 1;
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  public Cursor {
    if (version < 0 || step < 0 || part < 0) {
      throw new InvalidRequest(
          "a cursor has no negative version, step or part: %d, %d, %d"
              .formatted(version, step, part));
    }
  }

  /** The start of a stream. */
  public static Cursor start(UUID namespace) {
    return new Cursor(namespace, 0, 0, 0);
  }

  /** The same place in a namespace that was forked from this one behind it. */
  public Cursor in(UUID fork) {
    return new Cursor(fork, version, step, part);
  }

  /** The cursor as one line of JSON. */
  public String toJson() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeNumberField("lakestream", FORMAT);
      json.writeStringField("namespace", namespace.toString());
      json.writeNumberField("version", version);
      json.writeNumberField("step", step);
      json.writeNumberField("part", part);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a string writer failed", e);
    }
    return text.toString();
  }

  /**
   * The cursor in a text that {@link #toJson} wrote.
   *
   * @throws InvalidRequest if the text is malformed, which the message describes
   * @throws UnsupportedFormat if a newer version wrote it
   */
  public static Cursor parse(String text) {
    TreeMap<String, Field> fields = fields(text);
    long format = number(text, fields, "lakestream");
    if (format > FORMAT) {
      throw new UnsupportedFormat(
          "the cursor has format %d, this version of Lakestream reads %d; upgrade Lakestream"
              .formatted(format, FORMAT));
    }
    try {
      UUID uuid = UUID.fromString(fields.getOrDefault("namespace", Field.NONE).text());
      long part = number(text, fields, "part");
      return new Cursor(
          uuid,
          number(text, fields, "version"),
          number(text, fields, "step"),
          Math.toIntExact(part));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw malformed(text, e.getMessage() + "");
    }
  }

  private record Field(JsonToken type, String text) {
    private static final Field NONE = new Field(JsonToken.NOT_AVAILABLE, "");
  }

  private static TreeMap<String, Field> fields(String text) {
    TreeMap<String, Field> fields = new TreeMap<>();
    try (JsonParser json = JSON.createParser(text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw malformed(text, "it is no JSON object");
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        JsonToken type = json.nextToken();
        if (type.isStructStart()) {
          json.skipChildren(); // A field of a newer version.
        } else {
          fields.put(name, new Field(type, json.getText()));
        }
      }
      if (json.nextToken() != null) {
        throw malformed(text, "something stands behind it");
      }
      return fields;
    } catch (IOException e) {
      throw malformed(text, "it is no JSON");
    }
  }

  private static long number(String text, TreeMap<String, Field> fields, String name) {
    Field field = fields.get(name);
    if (field == null) {
      throw malformed(text, "it has no field '%s'".formatted(name));
    }
    try {
      if (field.type() == JsonToken.VALUE_NUMBER_INT) {
        return Long.parseLong(field.text());
      }
    } catch (NumberFormatException e) {
      // More than 64 bits.
    }
    throw malformed(text, "field '%s' is no whole number of 64 bits".formatted(name));
  }

  private static InvalidRequest malformed(String text, String why) {
    String shown = text.length() > 200 ? text.substring(0, 200) + "…" : text;
    return new InvalidRequest("this is no cursor, since %s: %s".formatted(why, shown));
  }
}
