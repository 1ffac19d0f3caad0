// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.bench;

import io.lakestream.cli.Console;
import io.lakestream.model.InvalidRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a benchmark works. */
final class Place {
  private static final String MEMORY = "tmpfs";

  @Option(
      names = "--at",
      paramLabel = "FOLDER",
      description =
          "A folder on the disk to measure. Else the system's folder for temporary files.")
  @Nullable Path folder;

  /** The folder, which is created if need be; notes if its disk is none. */
  Path folder(Console console) throws IOException {
    Path chosen = folder == null ? Path.of(System.getProperty("java.io.tmpdir")) : folder;
    Path place = chosen.toAbsolutePath();
    if (Files.exists(place) && !Files.isDirectory(place)) {
      throw new InvalidRequest("%s is a file; name a folder with --at".formatted(place));
    }
    Files.createDirectories(place);
    if (Files.getFileStore(place).type().equals(MEMORY)) {
      console.note(
          "%s is in memory, where nothing is forced to a disk; name a folder with --at"
              .formatted(place));
    }
    return place;
  }
}
