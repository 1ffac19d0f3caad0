// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import static io.lakestream.text.Inputs.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.model.CpLayout;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.SequenceCut;
import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenHashTest {
  @TempDir private Path folder;

  @Test
  void itIsTheSha256OfLittleEndianIds() {
    TokenHash hash = new TokenHash();
    assertThat(hash.hex())
        .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    // printf '\x01\x00\x00\x00\x02\x01\x00\x00' | sha256sum
    hash.add(ints(1, 258));
    assertThat(hash.hex()).isEqualTo(hash.hex());
    assertThat(hash.hex())
        .isEqualTo("fb8bbe2ad3ab5292f19bc5d75bbab9b5fbddc5a78ce47ab41b2d3d59bca08596");
    assertThat(hash.tokens()).isEqualTo(2);
  }

  @Test
  void itDoesNotMatterInWhichPartsTokensCome() {
    int[] tokens = IntStream.range(0, 50_000).toArray();
    TokenHash parts = new TokenHash();
    for (int start = 0; start < tokens.length; start += 1_250) {
      parts.add(IntBuffer.wrap(tokens, start, 1_250));
    }
    IntBuffer whole = IntBuffer.wrap(tokens);
    assertThat(new TokenHash().add(whole).hex()).isEqualTo(parts.hex());
    assertThat(whole.position()).isZero();
  }

  @Test
  void documentsAreHashedWithTheEndOfTextAfterEach() {
    write(folder.resolve("a"), "hello world");
    write(folder.resolve("b"), "hello");
    Documents documents = Documents.of(folder);
    Tokenizer tokenizer = Tokenizer.named("cl100k_base");
    TokenHash expected = new TokenHash().add(ints(15339, 1917, 100_257, 15339, 100_257));
    assertThat(DocumentHash.of(documents, tokenizer).hex()).isEqualTo(expected.hex());
    TokenHash second = new TokenHash().add(ints(15339, 100_257));
    assertThat(DocumentHash.of(documents.share(1, 2), tokenizer).hex()).isEqualTo(second.hex());
  }

  @Test
  void aBatchIsHashedWithoutItsPaddingInTheOrderOfReplicas() {
    ReplicaTokens first = new ReplicaTokens(ints(1, 2, 0, 4, 5, 6), ints(2, 3));
    ReplicaTokens second = new ReplicaTokens(ints(7, 8, 0, 0, 0, 0), ints(2, 0));
    TokenHash hash = new TokenHash().addBatch(List.of(first, second));
    assertThat(hash.hex())
        .isEqualTo(new TokenHash().add(ints(1, 2, 4, 5, 6, 7, 8)).hex())
        .isNotEqualTo(new TokenHash().addBatch(List.of(second, first)).hex());
    assertThat(hash.tokens()).isEqualTo(7);
  }

  @Test
  void aRowLengthThatCannotBeIsRefused() {
    for (int length : new int[] {-1, 4}) {
      ReplicaTokens bad = new ReplicaTokens(ints(1, 2, 3), ints(length));
      assertThatThrownBy(() -> new TokenHash().addBatch(List.of(bad)))
          .isInstanceOf(InvalidRequest.class)
          .hasMessageContaining("a row of 3 tokens cannot have %d real ones".formatted(length));
    }
  }

  @Test
  void rowsAreJoinedFromTheVectorsOfMegatron() {
    SequenceCut two = new SequenceCut(CpLayout.ZIGZAG, 2, 2);
    IntBuffer rank0 = ints(0, 1, 2, 3, 12, 13, 14, 15);
    IntBuffer rank1 = ints(4, 5, 6, 7, 8, 9, 10, 11);
    assertJoined(two, List.of(rank0, rank1));
    SequenceCut four = new SequenceCut(CpLayout.ZIGZAG, 4, 2);
    assertJoined(
        four,
        List.of(ints(0, 1, 14, 15), ints(2, 3, 12, 13), ints(4, 5, 10, 11), ints(6, 7, 8, 9)));
    SequenceCut contiguous = new SequenceCut(CpLayout.CONTIGUOUS, 2, 4);
    assertJoined(
        contiguous, List.of(ints(0, 1, 2, 3, 4, 5, 6, 7), ints(8, 9, 10, 11, 12, 13, 14, 15)));
  }

  private static void assertJoined(SequenceCut cut, List<IntBuffer> ranks) {
    ReplicaTokens joined = ReplicaTokens.join(cut, ranks, ints(16));
    assertThat(joined.sequenceLength()).isEqualTo(16);
    assertThat(joined.tokens()).isEqualTo(IntBuffer.wrap(IntStream.range(0, 16).toArray()));
  }

  @Test
  void severalRowsAreJoinedRowByRow() {
    SequenceCut cut = new SequenceCut(CpLayout.ZIGZAG, 2, 2);
    ReplicaTokens joined =
        ReplicaTokens.join(cut, List.of(ints(0, 3, 4, 7), ints(1, 2, 5, 6)), ints(4, 1));
    assertThat(joined.tokens()).isEqualTo(ints(0, 1, 2, 3, 4, 5, 6, 7));
    assertThat(new TokenHash().addBatch(List.of(joined)).hex())
        .isEqualTo(new TokenHash().add(ints(0, 1, 2, 3, 4)).hex());
  }

  @Test
  void partsThatDoNotFitTogetherAreRefused() {
    SequenceCut cut = new SequenceCut(CpLayout.ZIGZAG, 2, 2);
    assertRefused(
        cut, List.of(ints(1, 2)), ints(4), "2 context ranks cannot be put together from 1");
    assertRefused(
        cut, List.of(ints(1, 2), ints(1)), ints(4), "rank 1 has 1 tokens and rank 0 has 2");
    assertRefused(cut, List.of(ints(1, 2, 3), ints(1, 2, 3)), ints(4), "3 tokens are not 1 rows");
    assertRefused(cut, List.of(ints(1, 2), ints(1, 2)), ints(), "2 tokens are not 0 rows");
    assertRefused(cut, List.of(ints(), ints()), ints(1), "0 tokens are not 1 rows");
    assertThatThrownBy(() -> new ReplicaTokens(ints(1, 2, 3), ints(1, 1)))
        .isInstanceOf(InvalidRequest.class)
        .hasMessageContaining("3 tokens are not 2 rows");
  }

  private static void assertRefused(
      SequenceCut cut, List<IntBuffer> ranks, IntBuffer lengths, String why) {
    assertThatThrownBy(() -> ReplicaTokens.join(cut, ranks, lengths))
        .isInstanceOf(InvalidRequest.class)
        .hasMessageContaining(why);
  }

  private static IntBuffer ints(int... values) {
    return IntBuffer.wrap(values);
  }
}
