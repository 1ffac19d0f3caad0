// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Small inputs for the packer, and what commands wrote. */
final class Texts {
  private Texts() {}

  /** Writes a folder of documents of a few dozen tokens each. */
  static void write(Path folder, int documents) throws IOException {
    Files.createDirectories(folder);
    for (int i = 0; i < documents; i++) {
      String text = "Document %d begins. ".formatted(i) + "It goes on for a while. ".repeat(i % 9);
      Path unused = Files.writeString(folder.resolve("%04d.txt".formatted(i)), text);
    }
  }

  /** Writes a vocabulary of single bytes in the form of tiktoken. */
  static Path singleBytes(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int value = 0; value < 256; value++) {
      lines.add(Base64.getEncoder().encodeToString(new byte[] {(byte) value}) + " " + value);
    }
    return Files.write(file, lines);
  }

  /** A file of JSON, one object a line. */
  static List<JsonNode> events(Path file) throws IOException {
    List<JsonNode> events = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      events.add(Json.parse(line));
    }
    return events;
  }
}
