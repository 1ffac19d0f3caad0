// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Writes golden files that are not there yet. It never replaces one: bytes that once were format 1
 * stay format 1, so a file that differs means that the code is wrong or that the format needs a new
 * version with a folder of its own. (Before the first release, a commit that changes the format may
 * delete a file and have it written anew, and says so.) On request only:
 *
 * <pre>
 * mvn -pl lakestream-core test -Dtest=GoldenFilesWriter -Dgolden=write
 * </pre>
 */
@EnabledIfSystemProperty(named = "golden", matches = "write")
final class GoldenFilesWriter {

  @Test
  void missingGoldenFilesAreWritten() throws Exception {
    for (Map.Entry<String, byte[]> file : GoldenFiles.written().entrySet()) {
      Path path = GoldenFiles.FOLDER.resolve(file.getKey());
      if (Files.exists(path)) {
        assertThat(Files.readAllBytes(path)).as(file.getKey()).isEqualTo(file.getValue());
      } else {
        Files.createDirectories(path.getParent());
        Files.write(path, file.getValue());
      }
    }
  }
}
