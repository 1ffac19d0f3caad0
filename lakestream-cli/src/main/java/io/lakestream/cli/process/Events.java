// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The file in which a child tells what it does, one JSON object a line. A child that is killed may
 * leave half a line behind, which is no event.
 */
public final class Events {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** How much of a file's end is looked at for its last number: a dozen lines at least. */
  private static final int TAIL_BYTES = 16 * 1024;

  private Events() {}

  /** All events of a file, none if there is no file. */
  public static List<JsonNode> read(Path file) {
    List<JsonNode> events = new ArrayList<>();
    forEach(file, events::add);
    return events;
  }

  /** Hands on all events of a file, none if there is no file. */
  public static void forEach(Path file, Consumer<JsonNode> action) {
    if (!Files.exists(file)) {
      return;
    }
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        parse(line).ifPresent(action);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** The number in a field of the last event that has it. */
  public static OptionalLong last(Path file, String field) {
    String[] lines = tail(file, Math.max(0, size(file) - TAIL_BYTES)).split("\n", -1);
    for (int i = lines.length - 1; i >= 0; i--) {
      Optional<JsonNode> value = parse(lines[i]).map(event -> event.get(field));
      if (value.isPresent() && value.get().isIntegralNumber()) {
        return OptionalLong.of(value.get().longValue());
      }
    }
    return OptionalLong.empty();
  }

  /** The event in which a child told that it was done, if it is the last one. */
  public static Optional<JsonNode> done(List<JsonNode> events) {
    return events.stream()
        .skip(Math.max(0, events.size() - 1))
        .filter(event -> event.has("done"))
        .findFirst();
  }

  private static long size(Path file) {
    try {
      return Files.exists(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look at " + file, e);
    }
  }

  private static String tail(Path file, long from) {
    if (!Files.exists(file)) {
      return "";
    }
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "r")) {
      access.seek(from);
      byte[] bytes = new byte[Math.toIntExact(Math.max(0, access.length() - from))];
      access.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static Optional<JsonNode> parse(String line) {
    try {
      return Optional.of(JSON.readTree(line)).filter(JsonNode::isObject);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
