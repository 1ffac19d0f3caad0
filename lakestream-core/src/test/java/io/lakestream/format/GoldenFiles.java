// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The checked-in bytes of format 1, which every later version must read and write the same. */
final class GoldenFiles {
  /**
   * {@code stream/} is a namespace as a file store holds it, {@code object/} has single objects.
   */
  static final Path FOLDER = Path.of("src/test/resources/format/v1");

  private GoldenFiles() {}

  /** What this version of the code writes, by path within the folder. */
  static Map<String, byte[]> written() {
    Map<String, byte[]> files = new TreeMap<>();
    GoldenStream.objects().forEach((key, bytes) -> files.put("stream/" + key, bytes));
    GoldenObjects.objects().forEach((name, bytes) -> files.put("object/" + name, bytes));
    return files;
  }

  /** What is checked in, by path within the folder. */
  static Map<String, byte[]> checkedIn() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(FOLDER)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        String name = FOLDER.relativize(path).toString().replace('\\', '/');
        files.put(name, Files.readAllBytes(path));
      }
    }
    return files;
  }

  static ByteBuffer object(String name) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(FOLDER.resolve("object").resolve(name)));
  }

  static ByteBuffer stream(String key) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(FOLDER.resolve("stream").resolve(key)));
  }
}
