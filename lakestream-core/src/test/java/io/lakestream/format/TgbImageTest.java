// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static io.lakestream.format.Samples.NAMESPACE;
import static io.lakestream.format.Samples.OTHER_NAMESPACE;
import static io.lakestream.format.Samples.joined;
import static io.lakestream.format.Samples.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.format.proto.FooterMessage;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.CpLayout;
import io.lakestream.model.Mesh;
import io.lakestream.model.Rows;
import io.lakestream.model.Schema;
import io.lakestream.model.Tgb;
import io.lakestream.model.UnsupportedFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of a batch: every one is checked, by slice, by footer or by frame. */
class TgbImageTest {
  private static final Footer.Stamp STAMP = new Footer.Stamp("p", 3, 1L << 40, "offset");
  private static final String KEY = "some/key";

  private static TgbImage image(Tgb tgb) {
    return TgbImage.encode(NAMESPACE, tgb, STAMP);
  }

  private static ByteBuffer bytes(TgbImage image) {
    return joined(image.buffers());
  }

  private static ByteBuffer range(ByteBuffer bytes, SliceIndex.Range range) {
    return bytes.slice((int) range.offset(), (int) range.length());
  }

  private static Footer footer(TgbImage image) {
    ByteBuffer bytes = bytes(image);
    ByteBuffer tail = bytes.slice(bytes.remaining() - 16, 16);
    TgbImage.FooterPlace place = TgbImage.footerPlace(KEY, image.length(), tail);
    return Footer.decode(KEY, place.crc(), range(bytes, place.range()));
  }

  private static ByteBuffer payload(ByteBuffer bytes, SliceIndex.Range range) {
    return joined(SliceTrailer.check(KEY, range.offset(), range(bytes, range)));
  }

  private static void assertCorrupt(Runnable reading, String message) {
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(reading::run)
        .withMessageContaining(KEY)
        .withMessageContaining(message);
  }

  @Test
  void slicesLieBackToBackBehindTheHeader() {
    TgbImage image = image(GoldenStream.raw(3));
    ByteBuffer bytes = bytes(image);
    assertThat(bytes.remaining()).isEqualTo(image.length());
    assertThat(image.sliceIndex()).isInstanceOf(SliceIndex.Lengths.class);
    Footer footer = footer(image);
    for (int i = 0; i < 4; i++) {
      SliceIndex.Range range = image.sliceIndex().locate(() -> KEY, i);
      assertThat(footer.slices().get(i).range()).isEqualTo(range);
      assertThat(payload(bytes, range)).isEqualTo(GoldenStream.payload(3, i / 2, i % 2));
    }
    assertThat(image.sliceIndex().locate(() -> KEY, 0).offset()).isEqualTo(TgbImage.HEADER_BYTES);
  }

  @Test
  void theFooterSaysWhatTheBatchIs() {
    TgbImage image = image(GoldenStream.raw(0));
    Footer footer = footer(image);
    assertThat(footer.mesh()).isEqualTo(new Mesh(2, 2));
    assertThat(footer.cpLayout()).isEqualTo(CpLayout.OPAQUE);
    assertThat(footer.schema()).isEqualTo(Schema.RAW);
    assertThat(footer.writer()).isEqualTo(STAMP);
    assertThat(footer.provenance()).contains(utf8("shard-7.parquet"));
    assertThat(footer.sidecar()).isEmpty();
    assertThat(image.sidecar()).isEmpty();
    assertThat(footer.slices().get(3).rows()).isEqualTo(Rows.of(2, 1));
    assertThat(image.footerLength()).isEqualTo(footer.encode().length);
    for (CpLayout layout : CpLayout.values()) {
      Tgb tgb = Tgb.raw(new Mesh(1, 1)).slice(0, 0, utf8("x")).cpLayout(layout).build();
      assertThat(footer(image(tgb)).cpLayout()).isEqualTo(layout);
    }
  }

  @Test
  void theTensorsFooterHasSchemaBlocksAndRowTable() {
    Footer footer = footer(image(GoldenStream.tensors()));
    assertThat(footer.schema()).isEqualTo(GoldenStream.TENSORS);
    assertThat(footer.cpLayout()).isEqualTo(CpLayout.ZIGZAG);
    assertThat(footer.slices()).allMatch(slice -> slice.blockLengths().size() == 3);
    assertThat(footer.slices().get(0).rows().table()).hasSize(2);
    assertThat(footer.slices().get(0).rows().table().get(1)).isEqualTo(new Rows.Row(64, 0, 0));
    assertThat(footer.provenance()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 64 * 1024, 64 * 1024 + 1})
  void provenanceBeyondSixtyFourKibibytesGoesToASidecar(int length) {
    ByteBuffer provenance = ByteBuffer.allocate(length);
    Tgb tgb = Tgb.raw(new Mesh(1, 1)).slice(0, 0, utf8("x")).provenance(provenance).build();
    TgbImage image = image(tgb);
    Footer footer = footer(image);
    if (length > 64 * 1024) {
      assertThat(image.sidecar()).contains(provenance);
      assertThat(footer.provenance()).isEmpty();
      assertThat(footer.sidecar()).contains(new Footer.Sidecar(length, Checksum.of(provenance)));
    } else {
      assertThat(image.sidecar()).isEmpty();
      assertThat(footer.provenance())
          .isEqualTo(length == 0 ? Optional.empty() : Optional.of(provenance));
    }
  }

  @Test
  void anyFlippedBitOfAnImageIsNoticedByTheReadThatMeetsIt() {
    TgbImage image = image(GoldenStream.tensors());
    byte[] bytes = Samples.array(image.buffers());
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      if (bit / 8 >= 28 && bit / 8 < TgbImage.HEADER_BYTES) {
        continue; // Reserved, and never looked at.
      }
      byte[] damaged = bytes.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> readAll(image, ByteBuffer.wrap(damaged)))
          .as("bit %d", bit)
          .isInstanceOfAny(CorruptObject.class, UnsupportedFormat.class)
          .hasMessageContaining(KEY);
    }
  }

  private static void readAll(TgbImage image, ByteBuffer bytes) {
    TgbImage.checkHeader(KEY, NAMESPACE, bytes);
    for (int i = 0; i < 4; i++) {
      assertThat(payload(bytes, image.sliceIndex().locate(() -> KEY, i)).hasRemaining()).isTrue();
    }
    ByteBuffer tail = bytes.slice(bytes.remaining() - 16, 16);
    TgbImage.FooterPlace place = TgbImage.footerPlace(KEY, image.length(), tail);
    assertThat(Footer.decode(KEY, place.crc(), range(bytes, place.range())).slices()).hasSize(4);
  }

  @Test
  void aHeaderOfSomethingElseIsRefused() {
    ByteBuffer good = bytes(image(GoldenStream.raw(0)));
    TgbImage.checkHeader(KEY, NAMESPACE, good);
    assertThat(good.position()).isZero();
    assertCorrupt(() -> TgbImage.checkHeader(KEY, OTHER_NAMESPACE, good), "bytes 8-23");
    assertCorrupt(
        () -> TgbImage.checkHeader(KEY, NAMESPACE, good.slice(0, 31)),
        "the image's header: expected 32 bytes, found 31 bytes");
    assertCorrupt(
        () -> TgbImage.checkHeader(KEY, NAMESPACE, joined(new Hint(1, 1).encode(NAMESPACE))),
        "bytes 4-5: expected TGB");
    byte[] counted = new byte[32];
    good.get(0, counted);
    counted[7] = 1;
    ByteBuffer wrapped = ByteBuffer.wrap(counted).order(ByteOrder.LITTLE_ENDIAN);
    wrapped.putInt(24, Checksum.of(ByteBuffer.wrap(counted, 0, 24)));
    assertCorrupt(
        () -> TgbImage.checkHeader(KEY, NAMESPACE, wrapped), "byte 7 of the image: expected 0");
    ByteBuffer shifted = ByteBuffer.allocate(40).position(8);
    shifted.put(good.slice(0, 32)).position(8);
    TgbImage.checkHeader(KEY, NAMESPACE, shifted);
  }

  private static ByteBuffer tail(int footerLength, int crc) {
    ByteBuffer tail = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    tail.putInt(footerLength).putInt(crc);
    tail.putInt(Checksum.of(tail.duplicate().flip()));
    return tail.put(utf8("TGB1")).flip();
  }

  @Test
  void aTailThatPointsOutsideTheImageIsRefused() {
    assertThat(TgbImage.footerPlace(KEY, 149, tail(100, 7)))
        .isEqualTo(new TgbImage.FooterPlace(new SliceIndex.Range(33, 100), 7));
    assertThat(TgbImage.footerPlace(KEY, 50, tail(1, 7)).range().length()).isEqualTo(1);
    for (int length : new int[] {0, -1, Integer.MIN_VALUE, 101, Integer.MAX_VALUE}) {
      assertCorrupt(
          () -> TgbImage.footerPlace(KEY, 149, tail(length, 7)),
          "expected a footer within 149 bytes, found %d bytes".formatted(length));
    }
    assertCorrupt(
        () -> TgbImage.footerPlace(KEY, 149, tail(100, 7).slice(0, 15)),
        "the image's tail: expected 16 bytes, found 15 bytes");
    ByteBuffer magic = tail(100, 7).put(15, (byte) '2');
    assertCorrupt(() -> TgbImage.footerPlace(KEY, 149, magic), "and TGB1");
  }

  private static ByteBuffer trailer(List<Integer> lengths, ByteBuffer data) {
    List<Integer> crcs = new ArrayList<>();
    int start = 0;
    for (int length : lengths) {
      crcs.add(Checksum.of(data.slice(start, length)));
      start += length;
    }
    return joined(List.of(data, SliceTrailer.encode(lengths, crcs)));
  }

  @Test
  void theTrailerGivesTheBlocksBack() {
    ByteBuffer data = utf8("abcdefghij");
    ByteBuffer stored = trailer(List.of(3, 1, 6), data);
    assertThat(stored.remaining()).isEqualTo(10 + SliceTrailer.bytes(3));
    assertThat(SliceTrailer.check(KEY, 0, stored))
        .containsExactly(utf8("abc"), utf8("d"), utf8("efghij"));
    ByteBuffer shifted = ByteBuffer.allocate(50).position(7);
    shifted.put(stored.duplicate()).flip().position(7);
    assertThat(SliceTrailer.check(KEY, 0, shifted)).hasSize(3);
    assertThat(shifted.position()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 0x20000001, 0x20000002, 0x40000001, 0x7fffffff, 0x80000001})
  void aNumberOfBlocksThatDoesNotFitIsRefusedBeforeAnythingIsAllocated(int blocks) {
    ByteBuffer stored = trailer(List.of(10), utf8("abcdefghij")).order(ByteOrder.LITTLE_ENDIAN);
    stored.putInt(14, blocks);
    assertCorrupt(
        () -> SliceTrailer.check(KEY, 100, stored),
        "bytes 114-117: expected a number of blocks that fits 18 bytes, found " + blocks);
  }

  @Test
  void aSliceThatIsCutOffIsRefusedWhereverItEnds() {
    ByteBuffer stored = trailer(List.of(3, 1, 6), utf8("abcdefghij"));
    for (int length = 0; length < stored.remaining(); length++) {
      ByteBuffer start = stored.slice(0, length);
      assertCorrupt(() -> SliceTrailer.check(KEY, 0, start), "bytes ");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 11, 10, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void aBlockThatDoesNotLieInTheSliceIsRefused(int length) {
    ByteBuffer stored = trailer(List.of(3, 7), utf8("abcdefghij")).order(ByteOrder.LITTLE_ENDIAN);
    stored.putInt(10, length);
    assertCorrupt(() -> SliceTrailer.check(KEY, 5, stored), "bytes ");
  }

  @Test
  void aDamagedBlockIsPlacedInItsObject() {
    ByteBuffer stored = trailer(List.of(3, 7), utf8("abcdefghij"));
    stored.put(4, (byte) 'x');
    assertCorrupt(
        () -> SliceTrailer.check(KEY, 1L << 40, stored), "bytes 1099511627779-1099511627785");
  }

  @Test
  void randomBytesAreNoSlice() {
    for (long seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      if (bytes.length >= 4 && random.nextBoolean()) {
        ByteBuffer.wrap(bytes)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(bytes.length - 4, 1 + random.nextInt(4));
      }
      assertThatThrownBy(() -> SliceTrailer.check(KEY, 0, ByteBuffer.wrap(bytes)))
          .as("seed %d", seed)
          .isInstanceOf(CorruptObject.class);
    }
  }

  private static void assertFooterCorrupt(UnaryOperator<FooterMessage.Builder> change)
      throws Exception {
    Footer good = footer(image(GoldenStream.tensors()));
    FooterMessage.Builder message = FooterMessage.parseFrom(good.encode()).toBuilder();
    ByteBuffer bytes = ByteBuffer.wrap(change.apply(message).build().toByteArray());
    assertCorrupt(() -> Footer.decode(KEY, Checksum.of(bytes), bytes), "is corrupt at the footer");
  }

  @Test
  void footersThatCannotBeAreRefused() throws Exception {
    List<UnaryOperator<FooterMessage.Builder>> changes =
        List.of(
            f -> f.setDataParallel(0),
            f -> f.setContextParallel(-1),
            f -> f.setContextParallel(1),
            f -> f.setDataParallel(1 << 20).setContextParallel(1 << 20),
            FooterMessage.Builder::clearSlices,
            f -> f.addSlices(f.getSlices(0)),
            f -> slice(f, f.getSlicesBuilder(1).setOffset(33)),
            f -> slice(f, f.getSlicesBuilder(1).setOffset(-1)),
            f -> slice(f, f.getSlicesBuilder(1).setLength(1)),
            f -> slice(f, f.getSlicesBuilder(1).setLength(-1)),
            f -> slice(f, f.getSlicesBuilder(1).clearBlockLengths()),
            f -> slice(f, f.getSlicesBuilder(1).clearBlockCrcs()),
            f -> slice(f, f.getSlicesBuilder(1).setBlockLengths(0, -1)),
            f -> slice(f, f.getSlicesBuilder(1).setBlockLengths(0, 1L << 40)),
            f -> slice(f, f.getSlicesBuilder(1).setRows(-1)),
            f -> slice(f, f.getSlicesBuilder(1).setPaddingRows(-1)),
            f -> slice(f, f.getSlicesBuilder(1).setRows(Integer.MAX_VALUE)),
            f -> slice(f, f.getSlicesBuilder(1).addRowOffsets(1)),
            f -> slice(f, f.getSlicesBuilder(1).setRowOffsets(0, -1)),
            f -> slice(f, f.getSlicesBuilder(1).setRowTokens(0, -1)),
            f -> slice(f, f.getSlicesBuilder(1).clearRowTokens()),
            f -> slice(f, f.getSlicesBuilder(1).clearRowDocuments()),
            f -> f.setProvenanceSidecar(f.getProvenanceSidecarBuilder().setLength(-1)),
            f -> schema(f, f.getSchemaBuilder().clearTensors()),
            f -> schema(f, f.getSchemaBuilder().addTensors(f.getSchema().getTensors(0))),
            f -> schema(f, f.getSchemaBuilder().clearContentType()));
    for (UnaryOperator<FooterMessage.Builder> change : changes) {
      assertFooterCorrupt(change);
    }
  }

  /** The builder of the slice is the footer's own, so setting it is all. */
  private static FooterMessage.Builder slice(FooterMessage.Builder footer, Object changed) {
    assertThat(changed).isNotNull();
    return footer;
  }

  private static FooterMessage.Builder schema(FooterMessage.Builder footer, Object changed) {
    return slice(footer, changed);
  }

  @Test
  void aFooterUnderAnotherChecksumIsRefused() {
    byte[] bytes = footer(image(GoldenStream.raw(0))).encode();
    assertCorrupt(
        () -> Footer.decode(KEY, 5, ByteBuffer.wrap(bytes)),
        "the footer: expected crc32c 00000005, found crc32c");
    for (int length = 0; length < bytes.length; length++) {
      ByteBuffer start = ByteBuffer.wrap(Arrays.copyOf(bytes, length));
      try {
        Footer footer = Footer.decode(KEY, Checksum.of(start), start);
        assertThat(footer.slices()).hasSize(4);
      } catch (CorruptObject e) {
        assertThat(e).hasMessageContaining(KEY);
      }
    }
  }

  @Test
  void aLargeMeshHasItsIndexInTheFooterOrInOneNumber() {
    Mesh mesh = new Mesh(256, 2);
    var equal = Tgb.raw(mesh);
    var different = Tgb.raw(mesh);
    for (int i = 0; i < mesh.cells(); i++) {
      equal.slice(i / 2, i % 2, utf8("same"));
      different.slice(i / 2, i % 2, utf8("x".repeat(1 + i)));
    }
    assertThat(image(equal.build()).sliceIndex()).isEqualTo(new SliceIndex.Uniform(4 + 8));
    TgbImage image = image(different.build());
    assertThat(image.sliceIndex()).isEqualTo(new SliceIndex.InFooter());
    Footer footer = footer(image);
    SliceIndex.Range last = footer.slices().get(511).range();
    assertThat(payload(bytes(image), last)).isEqualTo(utf8("x".repeat(512)));
  }

  @Test
  void aBatchOfSeveralBlocksIsCutAtEightMebibytes() {
    ByteBuffer data = ByteBuffer.allocate(8 * 1024 * 1024 + 5);
    new Random(3).nextBytes(data.array());
    TgbImage image = image(Tgb.raw(new Mesh(1, 1)).slice(0, 0, data).build());
    assertThat(footer(image).slices().get(0).blockLengths()).containsExactly(8 * 1024 * 1024, 5);
    assertThat(payload(bytes(image), image.sliceIndex().locate(() -> KEY, 0))).isEqualTo(data);
    assertThat(Collections.max(footer(image).slices().get(0).blockLengths()))
        .isEqualTo(8 * 1024 * 1024);
  }
}
