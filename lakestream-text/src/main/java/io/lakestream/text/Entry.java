// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import java.nio.file.Path;
import java.util.Locale;

/**
 * A file of an input, or a file inside its archive.
 *
 * @param name path below the input, with {@code /} between its parts
 * @param file the file to open: the archive for what is inside one
 * @param label what messages call it
 * @param bytes its length when it was listed
 */
record Entry(String name, Path file, String label, long bytes) {
  /** A file in the file system. */
  static Entry ofFile(String name, Path file, long bytes) {
    return new Entry(name, file, file.toString(), bytes);
  }

  /** A file inside an archive. */
  static Entry inArchive(String name, Path archive, long bytes) {
    return new Entry(name, archive, archive + "!/" + name, bytes);
  }

  /** Whether each line is a document of its own. */
  boolean isLines() {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".jsonl") || lower.endsWith(".ndjson");
  }

  /** The error of a document of more bytes than it may have; line 0 stands for the whole file. */
  UnusableInput tooLong(long line, int bytesMax) {
    return new UnusableInput(
        "%s%s is longer than the %d bytes that a document may have; split it"
            .formatted(label, line == 0 ? "" : " line " + line, bytesMax));
  }
}
