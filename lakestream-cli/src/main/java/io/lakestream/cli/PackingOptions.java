// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.CpLayout;
import io.lakestream.model.Mesh;
import io.lakestream.text.Documents;
import io.lakestream.text.PackingSettings;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which text to pack, and how. */
final class PackingOptions {
  /** The layouts that the packer knows. */
  enum Layout {
    CONTIGUOUS(CpLayout.CONTIGUOUS),
    ZIGZAG(CpLayout.ZIGZAG);

    private final CpLayout cpLayout;

    Layout(CpLayout cpLayout) {
      this.cpLayout = cpLayout;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

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

  @Option(
      names = "--encoding",
      paramLabel = "NAME",
      defaultValue = "cl100k_base",
      description = "The tokenizer's vocabulary (default: ${DEFAULT-VALUE}).")
  String encoding;

  @Option(
      names = "--sequence-length",
      paramLabel = "N",
      defaultValue = "1024",
      description = "Tokens in a row (default: ${DEFAULT-VALUE}).")
  int sequenceLength;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "4",
      description = "Rows of each data-parallel replica in a batch (default: ${DEFAULT-VALUE}).")
  int rows;

  @Option(
      names = "--cp-layout",
      description =
          "How rows are dealt to context-parallel ranks: ${COMPLETION-CANDIDATES} (default: zigzag"
              + " if there are several).")
  @Nullable Layout layout;

  @Option(
      names = "--blocks-per-rank",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "Blocks of a row that a context-parallel rank holds (default: ${DEFAULT-VALUE}).")
  int blocksPerRank;

  Documents documents() {
    return Documents.of(from, field).share(share.index(), share.of());
  }

  PackingSettings settings(Mesh mesh) {
    Layout unset = mesh.contextParallel() > 1 ? Layout.ZIGZAG : Layout.CONTIGUOUS;
    CpLayout cpLayout = (layout == null ? unset : layout).cpLayout;
    return new PackingSettings(mesh, cpLayout, sequenceLength, rows, blocksPerRank);
  }
}
