// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import io.lakestream.model.InvalidRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The text that a demo streams if it is given none: sources of a well-known library, which the
 * build puts into the folder {@code sample} beside the command's classes or jar.
 */
final class SampleText {
  private static final String FOLDER = "sample";
  private static final String SUFFIX = "-sources.jar";

  private SampleText() {}

  /**
   * The sample.
   *
   * @throws InvalidRequest if the command was installed without it
   */
  static Path find() {
    return home()
        .flatMap(SampleText::in)
        .orElseThrow(
            () ->
                new InvalidRequest(
                    "this installation has no sample text; name a text, folder, zip or JSONL file"
                        + " of yours with --from, or run ./lakestream in the source tree"));
  }

  /** The sample in a folder, if it is there. */
  static Optional<Path> in(Path folder) {
    Path sample = folder.resolve(FOLDER);
    if (!Files.isDirectory(sample)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(sample)) {
      return files.filter(file -> file.toString().endsWith(SUFFIX)).sorted().findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + sample, e);
    }
  }

  /** The folder of the command's jar or classes. */
  private static Optional<Path> home() {
    CodeSource source = SampleText.class.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(Path.of(source.getLocation().toURI()).getParent());
    } catch (URISyntaxException e) {
      throw new AssertionError("the place of a class is a URI", e);
    }
  }
}
