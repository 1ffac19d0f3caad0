// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.CpLayout;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.text.PackingSettings;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How text is packed. */
public final class PackingOptions {
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

  private static final String ENCODING_DEFAULT = "cl100k_base";

  @Option(
      names = "--encoding",
      paramLabel = "NAME",
      description = "The tokenizer's vocabulary (default: " + ENCODING_DEFAULT + ").")
  @Nullable String encoding;

  @Mixin VocabularyOptions ranks;

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
      paramLabel = "NAME",
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

  /**
   * What text is encoded with.
   *
   * @throws InvalidRequest if there is no such vocabulary, or the options do not go together
   */
  public Vocabulary vocabulary() {
    return ranks.vocabulary(encoding).orElseGet(() -> Vocabulary.named(ENCODING_DEFAULT));
  }

  /**
   * The shape of batches for a mesh.
   *
   * @throws InvalidRequest if there is none; the message names the options
   */
  public PackingSettings settings(Mesh mesh) {
    Layout unset = mesh.contextParallel() > 1 ? Layout.ZIGZAG : Layout.CONTIGUOUS;
    CpLayout cpLayout = (layout == null ? unset : layout).cpLayout;
    try {
      return new PackingSettings(mesh, cpLayout, sequenceLength, rows, blocksPerRank);
    } catch (InvalidRequest e) {
      throw new InvalidRequest(
          String.format(
              Locale.ROOT,
              "--sequence-length %d, --rows %d and --blocks-per-rank %d do not go with a %s mesh:"
                  + " %s",
              sequenceLength,
              rows,
              blocksPerRank,
              mesh,
              e.getMessage()));
    }
  }
}
