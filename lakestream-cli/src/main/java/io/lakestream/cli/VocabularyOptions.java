// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.InvalidRequest;
import io.lakestream.text.Tokenizer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A vocabulary of the user's own, in place of one that comes with the product. */
final class VocabularyOptions {
  @Option(
      names = "--ranks",
      paramLabel = "FILE",
      description = "A vocabulary of yours instead: a .tiktoken file. Needs --end-of-text.")
  @Nullable Path ranks;

  @Option(
      names = "--end-of-text",
      paramLabel = "ID",
      description = "With --ranks: id of the token that ends a document.")
  @Nullable Integer endOfText;

  @Option(
      names = "--split",
      paramLabel = "REGEX",
      description = "With --ranks: the pieces that are encoded (default: as cl100k_base, Llama 3).")
  @Nullable String split;

  /**
   * The vocabulary that was asked for, if one was.
   *
   * @param encoding the name of one that comes with the product
   * @throws InvalidRequest if the options do not go together; the message names them
   */
  Optional<Vocabulary> vocabulary(@Nullable String encoding) {
    if (ranks != null && encoding != null) {
      throw new InvalidRequest("--ranks and --encoding exclude each other");
    }
    if (ranks != null && endOfText != null) {
      return Optional.of(ofRanks(ranks.toAbsolutePath(), endOfText));
    }
    if (ranks != null) {
      throw new InvalidRequest(
          "--ranks needs --end-of-text, the id of the token that ends a document; for Llama 3 it is"
              + " 128001");
    }
    if (endOfText != null || split != null) {
      throw new InvalidRequest("--end-of-text and --split are for a vocabulary of --ranks");
    }
    return Optional.ofNullable(encoding).map(Vocabulary::named);
  }

  private Vocabulary ofRanks(Path file, int end) {
    Pattern pieces = split == null ? Tokenizer.CL100K_SPLIT : pieces(split);
    return new Vocabulary(
        Tokenizer.ofRanks(file, pieces, end),
        List.of("--ranks=" + file, "--end-of-text=" + end, "--split=" + pieces));
  }

  private static Pattern pieces(String regex) {
    try {
      return Pattern.compile(regex, Pattern.UNICODE_CHARACTER_CLASS);
    } catch (PatternSyntaxException e) {
      throw new InvalidRequest(
          "--split is no regular expression: " + Table.oneLine(String.valueOf(e.getMessage())));
    }
  }
}
