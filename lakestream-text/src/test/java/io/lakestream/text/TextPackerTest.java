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

  private static final String ENCODING = "encoding cl100k_base\n";

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
    assertThat(provenance(batches.get(0))).isEqualTo(ENCODING + "a:0-3\nb:0-9\nc:0-4\n");
    assertThat(place(batches.get(0))).isEqualTo("3:0");
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
      assertThat(batches).extracting(TextPackerTest::place).containsExactly("0:16", "0:32", "2:0");
      assertThat(batches).extracting(PackedBatch::documents).containsExactly(0L, 0L, 2L);
      assertThat(batches).extracting(PackedBatch::tokens).containsExactly(16L, 16L, 11L);
      assertThat(batches)
          .extracting(TextPackerTest::provenance)
          .containsExactly(
              ENCODING + "a:0-16\n", ENCODING + "a:16-32\n", ENCODING + "a:32-41\nb:0-2\n");
      assertThat(packer.statistics())
          .isEqualTo(new PackingStatistics(3, 43, 5, 2, 1, Skipped.NONE));
    }
  }

  @Test
  void batchesThatComeOutEvenHaveNoPadding() {
    write(folder.resolve("a"), " a".repeat(15));
    write(folder.resolve("b"), " b".repeat(15));
    try (TextPacker packer = open(SMALL)) {
      assertThat(drain(packer)).extracting(TextPackerTest::place).containsExactly("1:0", "2:0");
      assertThat(packer.statistics())
          .isEqualTo(new PackingStatistics(2, 32, 0, 2, 0, Skipped.NONE));
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
      assertThat(place(packer.next())).isEqualTo("3:0");
      assertThat(packer.hasNext()).isFalse();
      assertThat(packer.statistics().skipped()).hasToString("2 binary files");
    }
    Documents documents = Documents.of(folder);
    try (TextPacker packer = resume(documents, "1:0")) {
      assertThat(provenance(packer.next())).isEqualTo(ENCODING + "c:0-2\n");
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
    try (TextPacker packer = resume(share, "0:0")) {
      assertThat(packer.hasNext()).isFalse();
    }
  }

  @Test
  void aFinishedShareResumesToNothing() {
    write(folder.resolve("a"), " a b");
    Documents documents = Documents.of(folder);
    try (TextPacker packer = resume(documents, "1:0")) {
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
            "1:0",
            "1:0:0badcafe",
            "-1:0:0badcafe:0fee1bad",
            "1:-1:0badcafe:0fee1bad",
            "a:b:0badcafe:0fee1bad",
            "1:0:0BADCAFE:0fee1bad",
            " 1:0:0badcafe:0fee1bad",
            "1:0:0badcafe:0fee1bad\n",
            "1234567890123456789:0:0badcafe:0fee1bad",
            "0:1234567890:0badcafe:0fee1bad")) {
      assertRefused(bad, "is written document:token:packing:trail");
      assertRefused(bad, "not '" + bad + "'");
    }
    Documents documents = Documents.of(folder);
    assertRefused(offset(documents, "0:3"), "is past the end of its document");
    assertRefused(offset(documents, "1:1"), "is past the end of its document");
    assertRefused(offset(documents, "3:1"), "is past the end of its document");
    assertRefused(
        offset(documents, "3:0").replaceFirst("3", "4"),
        "position 4 is past the end of share 0 of 1");
  }

  private void assertRefused(String offset, String why) {
    Documents documents = Documents.of(folder);
    assertThatThrownBy(() -> TextPacker.resume(documents, TOKENIZER, SMALL, offset))
        .as(offset)
        .isInstanceOf(InvalidRequest.class)
        .hasMessageContaining(why);
  }

  @Test
  void anOffsetOfOtherSettingsIsRefused() {
    write(folder.resolve("a"), " a".repeat(40));
    Documents all = Documents.of(folder);
    String offset = pack(SMALL).get(0).offset();
    Mesh mesh = SMALL.mesh();
    assertRefusedToMix(all, Tokenizer.named("p50k_base"), SMALL, offset);
    assertRefusedToMix(all, Tokenizer.named("p50k_edit"), SMALL, offset);
    assertRefusedToMix(all.share(0, 2), TOKENIZER, SMALL, offset);
    assertRefusedToMix(Documents.of(folder, "content"), TOKENIZER, SMALL, offset);
    for (PackingSettings other :
        List.of(
            new PackingSettings(new Mesh(4, 1), CpLayout.CONTIGUOUS, 4, 2, 2),
            new PackingSettings(mesh, CpLayout.ZIGZAG, 4, 2, 2),
            new PackingSettings(mesh, CpLayout.CONTIGUOUS, 8, 2, 2),
            new PackingSettings(mesh, CpLayout.CONTIGUOUS, 4, 1, 2),
            new PackingSettings(mesh, CpLayout.CONTIGUOUS, 4, 2, 4))) {
      assertRefusedToMix(all, TOKENIZER, other, offset);
    }
    try (TextPacker packer = TextPacker.resume(all.share(0, 1), TOKENIZER, SMALL, offset)) {
      assertThat(place(packer.next())).isEqualTo("0:32");
    }
  }

  private static void assertRefusedToMix(
      Documents documents, Tokenizer tokenizer, PackingSettings settings, String offset) {
    assertThatThrownBy(() -> TextPacker.resume(documents, tokenizer, settings, offset))
        .isInstanceOf(InvalidRequest.class)
        .hasMessageContaining("another tokenizer, shape of batches, share or text field")
        .hasMessageContaining("start anew under another producer id");
  }

  @Test
  void moreInputMayBeAddedBehindAnOffsetAndNothingChangedBeforeIt() {
    write(folder.resolve("b"), " b".repeat(15));
    write(folder.resolve("c.jsonl"), "{\"text\":\"" + " c".repeat(15) + "\"}\n");
    List<PackedBatch> batches = pack(SMALL);
    String first = batches.get(0).offset();
    String second = batches.get(1).offset();
    write(folder.resolve("c.jsonl"), ("{\"text\":\"" + " c".repeat(15) + "\"}\n").repeat(2));
    write(folder.resolve("d"), " d".repeat(15));
    assertThat(placesFrom(first)).containsExactly("2:0", "3:0", "4:0");
    assertThat(placesFrom(second)).containsExactly("3:0", "4:0");
    write(folder.resolve("b"), " b".repeat(14));
    assertRefused(first, "was made with another input");
    assertRefused(second, "was made with another input");
    write(folder.resolve("b"), " b".repeat(15));
    write(folder.resolve("bb"), " x");
    assertThat(placesFrom(first)).hasSize(4);
    assertRefused(second, "was made with another input");
    write(folder.resolve("a"), " a");
    assertRefused(first, "was made with another input");
  }

  private List<String> placesFrom(String offset) {
    Documents documents = Documents.of(folder);
    try (TextPacker packer = TextPacker.resume(documents, TOKENIZER, SMALL, offset)) {
      return drain(packer).stream().map(TextPackerTest::place).toList();
    }
  }

  @Test
  void anOffsetFitsAManifest() {
    String packing =
        Fingerprint.of(Documents.of(write(folder.resolve("a"), "a")), TOKENIZER, SMALL);
    TextOffset longest =
        new TextOffset(999_999_999_999_999_999L, 999_999_999, packing, DocumentCursor.NO_TRAIL);
    assertThat(longest.toString().length()).isLessThanOrEqualTo(64);
    assertThat(TextOffset.parse(longest.toString(), packing)).isEqualTo(longest);
  }

  @Test
  void aBadDocumentStopsThePackingWhereItIs() {
    write(folder.resolve("a"), " a".repeat(15));
    write(folder.resolve("b"), new byte[] {(byte) 0xFF});
    try (TextPacker packer = open(SMALL)) {
      assertThat(place(packer.next())).isEqualTo("1:0");
      assertThatThrownBy(packer::next)
          .isInstanceOf(UnusableInput.class)
          .hasMessageContaining("b is not UTF-8 at byte 0");
    }
  }

  /** The document and token of an offset. */
  private static String place(PackedBatch batch) {
    return batch.offset().substring(0, batch.offset().length() - 18);
  }

  /** The offset of a place. */
  private static String offset(Documents documents, String place) {
    int colon = place.indexOf(':');
    try (DocumentCursor cursor = documents.open(Long.parseLong(place.substring(0, colon)))) {
      if (!place.endsWith(":0")) {
        assertThat(cursor.next()).isNotNull();
      }
      return place + ":" + Fingerprint.of(documents, TOKENIZER, SMALL) + ":" + cursor.trail();
    }
  }

  private static TextPacker resume(Documents documents, String place) {
    return TextPacker.resume(documents, TOKENIZER, SMALL, offset(documents, place));
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
