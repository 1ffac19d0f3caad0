// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import io.lakestream.text.Document;
import io.lakestream.text.DocumentCursor;
import io.lakestream.text.Documents;
import io.lakestream.text.PackingSettings;
import io.lakestream.text.Skipped;
import io.lakestream.text.TextPacker;
import io.lakestream.text.TokenHash;
import io.lakestream.text.Tokenizer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a producer has to publish, worked out from its share of the input before anything is
 * written.
 *
 * @param producer its id
 * @param batches its batches in order
 * @param skipped what its content left out of the share
 */
record ExpectedShare(String producer, List<Expected> batches, Skipped skipped) {

  /**
   * A batch and all before it.
   *
   * @param offset where the packer stands after the batch
   * @param tokens tokens up to its end
   * @param sha256 {@link TokenHash} of them
   */
  record Expected(String offset, long tokens, String sha256) {}

  ExpectedShare {
    batches = List.copyOf(batches);
  }

  /** Works it out: tokens by plain encoding, without the packer; offsets with it. */
  static ExpectedShare of(
      String producer, Documents share, Tokenizer tokenizer, PackingSettings packing) {
    Ruler ruler = new Ruler(packing.batchTokens());
    try (DocumentCursor cursor = share.open()) {
      for (Optional<Document> next = cursor.next(); next.isPresent(); next = cursor.next()) {
        ruler.add(tokenizer.encode(next.get().text()));
        ruler.add(new int[] {tokenizer.endOfText()});
      }
      List<Expected> batches = zip(ruler.finish(), offsets(share, tokenizer, packing));
      return new ExpectedShare(producer, batches, cursor.skipped());
    }
  }

  private static List<String> offsets(
      Documents share, Tokenizer tokenizer, PackingSettings packing) {
    List<String> offsets = new ArrayList<>();
    try (TextPacker packer = TextPacker.open(share, tokenizer, packing)) {
      while (packer.hasNext()) {
        offsets.add(packer.next().offset());
      }
    }
    return offsets;
  }

  private static List<Expected> zip(List<Mark> marks, List<String> offsets) {
    if (offsets.size() != marks.size()) {
      throw new AssertionError(
          "the packer makes %d batches out of the tokens of %d"
              .formatted(offsets.size(), marks.size()));
    }
    List<Expected> batches = new ArrayList<>();
    for (int i = 0; i < marks.size(); i++) {
      batches.add(new Expected(offsets.get(i), marks.get(i).tokens(), marks.get(i).sha256()));
    }
    return batches;
  }

  /** Tokens of the whole share. */
  long tokens() {
    return batches.isEmpty() ? 0 : batches.get(batches.size() - 1).tokens();
  }

  private record Mark(long tokens, String sha256) {}

  /** Marks the hash at the end of every batch of one length. */
  private static final class Ruler {
    private final long batchTokens;
    private final TokenHash hash = new TokenHash();
    private final List<Mark> marks = new ArrayList<>();

    Ruler(long batchTokens) {
      this.batchTokens = batchTokens;
    }

    void add(int[] tokens) {
      int from = 0;
      while (from < tokens.length) {
        long room = batchTokens - hash.tokens() % batchTokens;
        int count = (int) Math.min(room, tokens.length - from);
        hash.add(IntBuffer.wrap(tokens, from, count));
        from += count;
        if (count == room) {
          mark();
        }
      }
    }

    List<Mark> finish() {
      if (hash.tokens() % batchTokens != 0) {
        mark();
      }
      return marks;
    }

    private void mark() {
      marks.add(new Mark(hash.tokens(), hash.hex()));
    }
  }
}
