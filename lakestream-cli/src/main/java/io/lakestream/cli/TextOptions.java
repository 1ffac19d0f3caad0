// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.text.Documents;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which text to read. */
final class TextOptions {
  @Option(
      names = "--from",
      required = true,
      paramLabel = "PATH",
      description = "The text: a folder, a zip file or a single file; .jsonl has a text a line.")
  Path from;

  @Option(
      names = "--share",
      paramLabel = "I/N",
      defaultValue = "0/1",
      converter = Share.Text.class,
      description = "Take every N-th document, from the I-th on (default: all, ${DEFAULT-VALUE}).")
  Share share;

  @Option(
      names = "--field",
      paramLabel = "NAME",
      defaultValue = "text",
      description = "The field of .jsonl lines that holds the text (default: ${DEFAULT-VALUE}).")
  String field;

  Documents documents() {
    return Documents.of(from, field).share(share.index(), share.of());
  }
}
