// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import static io.lakestream.text.Inputs.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.model.CpLayout;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.Rows;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextPackerTest {
  /** Each letter after a blank is one token of its own. */
  private static final Tokenizer TOKENIZER = Tokenizer.named("cl100k_base");

  private static final int END = TOKENIZER.endOfText();

  /** Two replicas of two rows of four tokens. */
  private static final PackingSettings SMALL =
      new PackingSettings(new Mesh(2, 1), CpLayout.CONTIGUOUS, 4, 2, 2);

  @TempDir private Path folder;

  @Test
  void rowsGoToReplicasInOrderAndDocumentsRunOn() {
    write(folder.resolve("a"), " a b");
    write(folder.resolve("b"), " c d e f g h i j");
    write(folder.resolve("c"), " k l m");
    List<PackedBatch> batches = pack(SMALL);
    assertThat(batches).hasSize(1);
    Unpacked batch = Unpacked.of(batches.get(0).tgb(), SMALL);
    assertThat(batch.tokens(0)).containsExactly(ids(" a b~ c d e f g"));
    assertThat(batch.tokens(1)).containsExactly(ids(" h i j~ k l m~"));
    assertThat(batch.rowLengths(0)).containsExactly(4, 4);
    assertThat(batch.rowLengths(1)).containsExactly(4, 4);
    assertThat(batch.boundaries().get(0)).containsExactly(0, 3, 4, 8);
    assertThat(batch.boundaries().get(1)).containsExactly(0, 4, 8);
    assertThat(batch.rows().get(0))
        .isEqualTo(new Rows(2, 0, List.of(new Rows.Row(0, 4, 2), new Rows.Row(8, 4, 1))));
    assertThat(provenance(batches.get(0))).isEqualTo("a:0-3\nb:0-9\nc:0-4\n");
    assertThat(batches.get(0).offset()).isEqualTo("3:0");
    assertThat(batches.get(0).tokens()).isEqualTo(16);
    assertThat(batches.get(0).documents()).isEqualTo(3);
  }

  @Test
  void theLastBatchIsPaddedAndSaysSo() {
    write(folder.resolve("a"), " a b c d e");
    List<PackedBatch> batches = pack(SMALL);
    assertThat(batches).hasSize(1);
    Unpacked batch = Unpacked.of(batches.get(0).tgb(), SMALL);
    assertThat(batch.tokens(0)).containsExactly(ids(" a b c d e~~~"));
    assertThat(batch.tokens(1)).containsExactly(ids("~~~~~~~~"));
    assertThat(batch.rowLengths(0)).containsExactly(4, 2);
    assertThat(batch.rowLengths(1)).containsExactly(0, 0);
    assertThat(batch.boundaries().get(0)).containsExactly(0, 4, 6, 8);
    assertThat(batch.boundaries().get(1)).containsExactly(0, 4, 8);
    assertThat(batch.rows().get(0).real()).isEqualTo(2);
    assertThat(batch.rows().get(1))
        .isEqualTo(new Rows(0, 2, List.of(new Rows.Row(0, 0, 0), new Rows.Row(8, 0, 0))));
  }

  @Test
  void aDocumentLongerThanABatchSpansBatches() {
    write(folder.resolve("a"), " a".repeat(40));
    write(folder.resolve("b"), " b");
    try (TextPacker packer = open(SMALL)) {
      List<PackedBatch> batches = drain(packer);
      assertThat(batches).extracting(PackedBatch::offset).containsExactly("0:16", "0:32", "2:0");
      assertThat(batches).extracting(PackedBatch::documents).containsExactly(0L, 0L, 2L);
      assertThat(batches).extracting(PackedBatch::tokens).containsExactly(16L, 16L, 11L);
      assertThat(batches)
          .extracting(TextPackerTest::provenance)
          .containsExactly("a:0-16\n", "a:16-32\n", "a:32-41\nb:0-2\n");
      assertThat(packer.statistics())
          .isEqualTo(new PackingStatistics(3, 43, 5, 2, 1, new Skipped(0, 0)));
    }
  }

  @Test
  void batchesThatComeOutEvenHaveNoPadding() {
    write(folder.resolve("a"), " a".repeat(15));
    write(folder.resolve("b"), " b".repeat(15));
    try (TextPacker packer = open(SMALL)) {
      assertThat(drain(packer)).extracting(PackedBatch::offset).containsExactly("1:0", "2:0");
      assertThat(packer.statistics())
          .isEqualTo(new PackingStatistics(2, 32, 0, 2, 0, new Skipped(0, 0)));
    }
  }

  @Test
  void ranksHaveTheirPartOfTheSequence() {
    write(folder.resolve("a"), " a b c d e f g");
    Mesh mesh = new Mesh(1, 2);
    PackingSettings zigzag = new PackingSettings(mesh, CpLayout.ZIGZAG, 8, 1, 2);
    PackedBatch batch = pack(zigzag).get(0);
    assertThat(Unpacked.ints(batch.tgb().slices().get(0).blocks().get(0)))
        .containsExactly(ids(" a b"));
    assertThat(Unpacked.ints(batch.tgb().slices().get(0).blocks().get(1)))
        .containsExactly(ids(" g~"));
    PackingSettings contiguous = new PackingSettings(mesh, CpLayout.CONTIGUOUS, 8, 1, 2);
    PackedBatch other = pack(contiguous).get(0);
    assertThat(Unpacked.ints(other.tgb().slices().get(0).blocks().get(1)))
        .containsExactly(ids(" c d"));
    assertThat(other.tgb().cpLayout()).isEqualTo(CpLayout.CONTIGUOUS);
    assertThat(Unpacked.of(other.tgb(), contiguous).tokens(0))
        .containsExactly(Unpacked.of(batch.tgb(), zigzag).tokens(0));
  }

  @Test
  void whatIsSkippedIsCountedAndDoesNotUpsetOffsets() {
    write(folder.resolve("a"), " a");
    write(folder.resolve("b"), "\0");
    write(folder.resolve("c"), " c");
    write(folder.resolve("d"), "\0");
    try (TextPacker packer = open(SMALL)) {
      assertThat(packer.next().offset()).isEqualTo("3:0");
      assertThat(packer.hasNext()).isFalse();
      assertThat(packer.statistics().skipped()).isEqualTo(new Skipped(2, 0));
    }
    Documents documents = Documents.of(folder);
    try (TextPacker packer = TextPacker.resume(documents, TOKENIZER, SMALL, "1:0")) {
      assertThat(provenance(packer.next())).isEqualTo("c:0-2\n");
    }
  }

  @Test
  void anEmptyShareHasNoBatches() {
    write(folder.resolve("a"), " a");
    Documents share = Documents.of(folder).share(1, 2);
    try (TextPacker packer = TextPacker.open(share, TOKENIZER, SMALL)) {
      assertThat(packer.hasNext()).isFalse();
      assertThatThrownBy(packer::next).isInstanceOf(NoSuchElementException.class);
    }
    try (TextPacker packer = TextPacker.resume(share, TOKENIZER, SMALL, "0:0")) {
      assertThat(packer.hasNext()).isFalse();
    }
  }

  @Test
  void aFinishedShareResumesToNothing() {
    write(folder.resolve("a"), " a b");
    Documents documents = Documents.of(folder);
    try (TextPacker packer = TextPacker.resume(documents, TOKENIZER, SMALL, "1:0")) {
      assertThat(packer.hasNext()).isFalse();
    }
  }

  @Test
  void badOffsetsAreRefused() {
    write(folder.resolve("a"), " a b");
    write(folder.resolve("b"), "\0");
    write(folder.resolve("c"), " a b");
    for (String bad :
        List.of(
            "",
            "1",
            "1:",
            ":1",
            "-1:0",
            "1:-1",
            "1:2:3",
            "a:b",
            " 1:0",
            "1:0\n",
            "1234567890123456789:0",
            "0:1234567890")) {
      assertRefused(bad, "is written document:token, such as 12:345, not '" + bad + "'");
    }
    assertRefused("0:3", "offset 0:3 is past the end of its document");
    assertRefused("1:1", "offset 1:1 is past the end of its document");
    assertRefused("3:1", "offset 3:1 is past the end of its document");
    assertRefused("4:0", "position 4 is past the end of share 0 of 1");
  }

  private void assertRefused(String offset, String why) {
    Documents documents = Documents.of(folder);
    assertThatThrownBy(() -> TextPacker.resume(documents, TOKENIZER, SMALL, offset))
        .as(offset)
        .isInstanceOf(InvalidRequest.class)
        .hasMessageContaining(why);
  }

  @Test
  void aBadDocumentStopsThePackingWhereItIs() {
    write(folder.resolve("a"), " a".repeat(15));
    write(folder.resolve("b"), new byte[] {(byte) 0xFF});
    try (TextPacker packer = open(SMALL)) {
      assertThat(packer.next().offset()).isEqualTo("1:0");
      assertThatThrownBy(packer::next)
          .isInstanceOf(UnusableInput.class)
          .hasMessageContaining("b is not UTF-8 at byte 0");
    }
  }

  private TextPacker open(PackingSettings settings) {
    return TextPacker.open(Documents.of(folder), TOKENIZER, settings);
  }

  private List<PackedBatch> pack(PackingSettings settings) {
    try (TextPacker packer = open(settings)) {
      return drain(packer);
    }
  }

  private static List<PackedBatch> drain(TextPacker packer) {
    List<PackedBatch> batches = new ArrayList<>();
    packer.forEachRemaining(batches::add);
    return batches;
  }

  private static String provenance(PackedBatch batch) {
    return StandardCharsets.UTF_8.decode(batch.tgb().provenance().orElseThrow()).toString();
  }

  /** The ids of letters after blanks, with ~ for the end of a text. */
  private static int[] ids(String text) {
    return text.codePoints()
        .filter(c -> c != ' ')
        .map(c -> c == '~' ? END : TOKENIZER.encode(" " + Character.toString(c))[0])
        .toArray();
  }
}
