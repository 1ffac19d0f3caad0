// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.UnsupportedFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The object that makes a prefix a namespace. JSON, so that people and tools without any other
 * knowledge of the format can tell what they found.
 *
 * @param uuid the namespace's uuid
 * @param mesh the mesh that the stream is written for
 * @param storeClaims what the store was seen to do when the namespace was created
 */
public record NamespaceRecord(UUID uuid, Mesh mesh, List<String> storeClaims) {
  private static final String CRC = "crc32c";
  private static final String NO_CRC = "no crc32c yet";
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  public NamespaceRecord {
    storeClaims = List.copyOf(storeClaims);
  }

  /** The object's bytes. */
  public byte[] encode() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text).useDefaultPrettyPrinter()) {
      json.writeStartObject();
      json.writeNumberField("lakestream", Preamble.MAJOR);
      json.writeStringField("uuid", uuid.toString());
      json.writeNumberField("dataParallel", mesh.dataParallel());
      json.writeNumberField("contextParallel", mesh.contextParallel());
      json.writeArrayFieldStart("store");
      for (String claim : storeClaims) {
        json.writeString(claim);
      }
      json.writeEndArray();
      json.writeStringField(CRC, NO_CRC);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a string writer failed", e);
    }
    String unchecked = text + "\n";
    return unchecked.replace(NO_CRC, crcOf(unchecked)).getBytes(StandardCharsets.UTF_8);
  }

  /** Checksum of all that stands before the field of the checksum. */
  private static String crcOf(String text) {
    String before = text.substring(0, Math.max(0, text.lastIndexOf('"' + CRC + '"')));
    ByteBuffer bytes = ByteBuffer.wrap(before.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits(Checksum.of(bytes));
  }

  /**
   * The namespace in the object's bytes.
   *
   * @throws UnsupportedFormat if a newer major version wrote it
   * @throws CorruptObject if the bytes are no namespace, or not those that were written
   */
  public static NamespaceRecord decode(ByteBuffer bytes) {
    Map<String, String> fields = new TreeMap<>();
    List<String> claims = List.of();
    byte[] text = new byte[bytes.remaining()];
    bytes.duplicate().get(text);
    try (JsonParser json = JSON.createParser(text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw corrupt("no JSON object");
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (name.equals("store") && value == JsonToken.START_ARRAY) {
          claims = strings(json);
        } else if (value.isStructStart()) {
          json.skipChildren(); // A field of a newer minor version.
        } else {
          fields.put(name, json.getText());
        }
      }
      if (json.nextToken() != null) {
        throw corrupt("something behind the JSON object");
      }
    } catch (IOException e) {
      throw corrupt("bytes that are no JSON");
    }
    NamespaceRecord record = decode(fields, claims);
    checkCrc(fields.getOrDefault(CRC, "no " + CRC), new String(text, StandardCharsets.UTF_8));
    return record;
  }

  private static void checkCrc(String stored, String text) {
    String found = crcOf(text);
    if (!found.equals(stored)) {
      throw new CorruptObject(
          Names.NAMESPACE, "its content", CRC + " " + stored, CRC + " " + found);
    }
  }

  private static List<String> strings(JsonParser json) throws IOException {
    List<String> strings = new ArrayList<>();
    while (json.nextToken() == JsonToken.VALUE_STRING) {
      strings.add(json.getText());
    }
    if (json.currentToken() != JsonToken.END_ARRAY) {
      throw corrupt("a list of claims with something else in it");
    }
    return strings;
  }

  private static NamespaceRecord decode(Map<String, String> fields, List<String> claims) {
    try {
      int format = Integer.parseInt(fields.getOrDefault("lakestream", ""));
      if (format > Preamble.MAJOR) {
        throw new UnsupportedFormat(
            "the namespace has format %d, this version of Lakestream reads format %d; upgrade it"
                .formatted(format, Preamble.MAJOR));
      }
      int data = Integer.parseInt(fields.getOrDefault("dataParallel", ""));
      int context = Integer.parseInt(fields.getOrDefault("contextParallel", ""));
      UUID uuid = UUID.fromString(fields.getOrDefault("uuid", ""));
      if (format < 1 || !uuid.toString().equals(fields.get("uuid"))) {
        throw corrupt("fields " + fields);
      }
      return new NamespaceRecord(uuid, new Mesh(data, context), claims);
    } catch (IllegalArgumentException | InvalidRequest e) {
      throw corrupt("fields " + fields);
    }
  }

  private static CorruptObject corrupt(String found) {
    return new CorruptObject(Names.NAMESPACE, "its content", "a namespace of format 1", found);
  }
}
