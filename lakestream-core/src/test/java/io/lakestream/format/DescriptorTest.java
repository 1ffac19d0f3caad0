// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static io.lakestream.format.Samples.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.lakestream.format.ImageLocation.ObjectRange;
import io.lakestream.format.SliceIndex.Range;
import io.lakestream.format.proto.DescriptorBlockMessage;
import io.lakestream.format.proto.DescriptorMessage;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.CpLayout;
import io.lakestream.model.InvalidRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Descriptors: where a step's bytes are, in chunks that are appended to and never bend. */
class DescriptorTest {

  private static DescriptorBlockMessage good() throws Exception {
    DescriptorBlock block = DescriptorBlock.of(0, Samples.descriptors("p", 0, 2));
    return DescriptorBlockMessage.parseFrom(block.encode());
  }

  private static void assertCorrupt(DescriptorBlockMessage block) {
    assertThatExceptionOfType(CorruptObject.class)
        .as("%s", block)
        .isThrownBy(() -> DescriptorBlock.decode("some/key", ByteBuffer.wrap(block.toByteArray())))
        .withMessageContaining("some/key is corrupt at a descriptor block");
  }

  @Test
  void producersAndSchemasAreNamedOnceInABlock() throws Exception {
    DescriptorBlockMessage block = good();
    assertThat(block.getWritersCount()).isEqualTo(1);
    assertThat(block.getSchemasCount()).isEqualTo(1);
    assertThat(block.getDescriptorsList()).allMatch(d -> d.getWriter() == 0 && d.getSchema() == 0);
  }

  @Test
  void descriptorsThatCannotBeAreRefused() throws Exception {
    List<UnaryOperator<DescriptorMessage.Builder>> changes =
        List.of(
            d -> d.setWriter(1),
            d -> d.setWriter(-1),
            d -> d.setSchema(1),
            d -> d.setSchema(Integer.MIN_VALUE),
            d -> d.setVersionDelta(-1),
            d -> d.setSeq(-1),
            d -> d.setSeq(Long.MAX_VALUE).setObjectLastSeqDelta(1),
            d -> d.setObjectLastSeqDelta(-1),
            d -> d.setOffset("x".repeat(65)),
            d -> d.setObjectOffset(-1),
            d -> d.setObjectOffset(Long.MAX_VALUE),
            d -> d.setLength(0),
            d -> d.setLength(-1),
            d -> d.setLength(148),
            d -> d.setLength(Long.MAX_VALUE),
            d -> d.setPartBytes(-1),
            d -> d.setLength(10_001).setPartBytes(1),
            d -> d.setPartBytes(100).setObjectOffset(1),
            d -> d.setFooterLength(0),
            d -> d.setFooterLength(-1),
            d -> d.setFooterLength(952),
            d -> d.setUniformSlice(0),
            d -> d.setUniformSlice(-1),
            d -> d.setUniformSlice(1L << 31),
            d -> d.setSliceLengths(bytes(0)),
            d -> d.setSliceLengths(bytes(0x80)),
            d -> d.setSliceLengths(bytes(5, 0xff)),
            d -> d.setSliceLengths(bytes(-1, -1, -1, -1, -1, -1, -1, -1, -1, 1)),
            d -> d.setSliceLengths(bytes(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1)));
    for (UnaryOperator<DescriptorMessage.Builder> change : changes) {
      DescriptorMessage.Builder second = good().getDescriptors(1).toBuilder();
      assertCorrupt(good().toBuilder().setDescriptors(1, change.apply(second)).build());
    }
  }

  @Test
  void versionsThatOverflowAreRefused() throws Exception {
    DescriptorBlockMessage.Builder block = good().toBuilder().setFirstVersion(1);
    block.getDescriptorsBuilder(1).setVersionDelta(Long.MAX_VALUE);
    assertCorrupt(block.build());
    assertCorrupt(good().toBuilder().setFirstVersion(-1).build());
  }

  private static ByteString bytes(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length);
    for (int value : values) {
      bytes.put((byte) value);
    }
    return ByteString.copyFrom(bytes.flip());
  }

  @Test
  void writersThatCannotBeAreRefused() throws Exception {
    for (String id : List.of("", "x".repeat(65))) {
      DescriptorBlockMessage.Builder block = good().toBuilder();
      block.getWritersBuilder(0).setProducer(id);
      assertCorrupt(block.build());
    }
    DescriptorBlockMessage.Builder block = good().toBuilder();
    block.getWritersBuilder(0).setEpoch(-1);
    assertCorrupt(block.build());
  }

  @Test
  void anOffsetHasAtMostSixtyFourBytesOfUtf8() {
    Descriptor.checkOffset("x".repeat(64));
    Descriptor.checkOffset("é".repeat(32));
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> Descriptor.checkOffset("é".repeat(33)))
        .withMessageContaining("at most 64 bytes in UTF-8, not 66");
  }

  @Test
  void appendingWritesOnlyTheLastChunkAnew() {
    List<Chunk> chunks = Chunk.append("key", List.of(), 0, Samples.descriptors("p", 0, 100));
    assertThat(chunks).extracting(Chunk::count).containsExactly(64, 36);
    List<Chunk> more = Chunk.append("key", chunks, 100, Samples.descriptors("q", 0, 100));
    assertThat(more).extracting(Chunk::firstStep).containsExactly(0L, 64L, 128L, 192L);
    assertThat(more).extracting(Chunk::count).containsExactly(64, 64, 64, 8);
    assertThat(more.get(0)).isSameAs(chunks.get(0));
    assertThat(more).extracting(Chunk::isFull).containsExactly(true, true, true, false);
    assertThat(more.get(3).endStep()).isEqualTo(200);
    DescriptorBlock second = more.get(1).decode("key");
    assertThat(second.at(99).producer()).isEqualTo("p");
    assertThat(second.at(100).producer()).isEqualTo("q");
    assertThat(second.at(100).seq()).isZero();
    assertThat(Chunk.append("key", more, 200, List.of())).isEqualTo(more);
  }

  @Test
  void theBytesOfATailDoNotDependOnHowItWasAppended() {
    List<Descriptor> all = Samples.descriptors("p", 0, 150);
    List<Chunk> one = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      one = Chunk.append("key", one, i, all.subList(i, i + 1));
    }
    assertThat(one).isEqualTo(Chunk.append("key", List.of(), 0, all));
  }

  @Test
  void aChunkThatHasOtherStepsIsRefused() {
    Chunk chunk = Chunk.of(DescriptorBlock.of(64, Samples.descriptors("p", 0, 3)));
    assertThat(chunk.decode("key").endStep()).isEqualTo(67);
    for (Chunk other :
        List.of(new Chunk(0, 3, chunk.section()), new Chunk(64, 2, chunk.section()))) {
      assertThatExceptionOfType(CorruptObject.class)
          .isThrownBy(() -> other.decode("some/key"))
          .withMessageContaining("some/key is corrupt at a chunk of descriptors")
          .withMessageContaining("found steps 64 to 66");
    }
  }

  private static ImageLocation image(long offset, long length, long part) {
    return new ImageLocation(7, 9, offset, length, part, 100, 3);
  }

  private static List<ObjectRange> located(ImageLocation image, Range range) {
    return image.locate(image.keys("p", 2), range);
  }

  @Test
  void anImageInOneObjectIsReadWhereItStarts() {
    String key = Names.data("p", 2, 9, 7);
    assertThat(located(image(1L << 40, 1L << 41, 0), new Range(1L << 33, 5)))
        .containsExactly(new ObjectRange(key, (1L << 40) + (1L << 33), 5));
    assertThat(image(5, 1_000, 0).footer()).isEqualTo(new Range(884, 100));
  }

  @Test
  void anImageInPartsIsReadFromEachOfThem() {
    ImageLocation image = image(0, 5L << 32, 1L << 32);
    long start = (1L << 32) - 2;
    assertThat(located(image, new Range(start, (1L << 32) + 5)))
        .containsExactly(
            new ObjectRange(Names.dataPart("p", 2, 9, 7, 0), start, 2),
            new ObjectRange(Names.dataPart("p", 2, 9, 7, 1), 0, 1L << 32),
            new ObjectRange(Names.dataPart("p", 2, 9, 7, 2), 0, 3));
    assertThat(image.keys("p", 2)).hasSize(5);
    assertThat(image(0, 5L << 32, 6L << 32).keys("p", 2))
        .containsExactly(Names.dataPart("p", 2, 9, 7, 0));
    assertThat(image(0, 10_000, 1).keys("p", 2)).hasSize(10_000);
  }

  @Test
  void aRangeOutsideTheImageIsRefused() {
    for (Range range :
        List.of(
            new Range(0, 1_001),
            new Range(1_000, 1),
            new Range(-1, 5),
            new Range(0, 0),
            new Range(0, -1),
            new Range(Long.MAX_VALUE, 1),
            new Range(1, Long.MAX_VALUE))) {
      assertThatExceptionOfType(CorruptObject.class)
          .isThrownBy(() -> located(image(5, 1_000, 0), range))
          .withMessageContaining(Names.data("p", 2, 9, 7))
          .withMessageContaining("a range of an image of 1000 bytes");
      assertThatExceptionOfType(CorruptObject.class)
          .isThrownBy(() -> located(image(0, 1_000, 100), range))
          .withMessageContaining(Names.dataPart("p", 2, 9, 7, 0));
    }
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> located(image(5, 1_000, 0), new Range(900, 200)))
        .withMessageContaining("bytes 900-1099");
    assertThat(located(image(5, 1_000, 0), new Range(0, 1_000))).hasSize(1);
    assertThat(located(image(5, 1_000, 0), new Range(999, 1))).hasSize(1);
  }

  @Test
  void anImageIsLongerThanItsFrameAndShorterThanAllStores() {
    assertThat(image(0, 149, 0).length()).isEqualTo(149);
    assertThat(image(1L << 60, 1L << 60, 0).length()).isEqualTo(1L << 60);
    assertThatThrownBy(() -> image(0, 148, 0)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> image(0, (1L << 60) + 1, 0)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> image((1L << 60) + 1, 149, 0)).isInstanceOf(AssertionError.class);
  }

  @Test
  void equalSlicesAreOneNumberAndFewOthersTheirLengths() {
    assertThat(SliceIndex.of(List.of(5L, 5L, 5L))).isEqualTo(new SliceIndex.Uniform(5));
    assertThat(SliceIndex.of(List.of(5L, 6L))).isEqualTo(new SliceIndex.Lengths(List.of(5L, 6L)));
    List<Long> longest = new ArrayList<>(Collections.nCopies(63, 1L));
    longest.add(2L);
    assertThat(SliceIndex.of(longest)).isInstanceOf(SliceIndex.Lengths.class);
    longest.add(2L);
    assertThat(SliceIndex.of(longest)).isEqualTo(new SliceIndex.InFooter());
  }

  @Test
  void aSliceIsFoundByItsPlace() {
    SliceIndex uniform = new SliceIndex.Uniform(1 << 30);
    assertThat(uniform.locate(() -> "key", 0)).isEqualTo(new Range(32, 1 << 30));
    assertThat(uniform.locate(() -> "key", 65_535))
        .isEqualTo(new Range(32 + (65_535L << 30), 1 << 30));
    SliceIndex lengths = new SliceIndex.Lengths(List.of(10L, 300L, 1L << 30));
    assertThat(lengths.locate(() -> "key", 0)).isEqualTo(new Range(32, 10));
    assertThat(lengths.locate(() -> "key", 2)).isEqualTo(new Range(342, 1L << 30));
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> lengths.locate(() -> "some/key", 3))
        .withMessageContaining("some/key is corrupt at its slice index: expected slice 3, found 3");
    assertThatThrownBy(() -> new SliceIndex.InFooter().locate(() -> "some/key", 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the footer of some/key has the slice index");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 127, 128, 16_383, 16_384, (1L << 35) - 1, 1L << 62, Long.MAX_VALUE})
  void aLengthTakesSevenBitsToTheByte(long number) {
    int bytes = Math.max(1, (Long.toBinaryString(number).length() + 6) / 7);
    assertThat(SliceIndex.Varints.bytes(List.of(number))).isEqualTo(bytes);
    byte[] encoded = SliceIndex.Varints.encode(List.of(number));
    assertThat(encoded).hasSize(bytes);
    assertThat(SliceIndex.Varints.decode(ByteBuffer.wrap(encoded))).containsExactly(number);
  }

  @Test
  void aDescriptorIsPublishedInAVersion() {
    Descriptor descriptor = Samples.descriptor("p", 3);
    Descriptor published = descriptor.publishedIn(12);
    assertThat(published.version()).isEqualTo(12);
    assertThat(published.publishedIn(0)).isEqualTo(descriptor);
    assertThat(descriptor.objectKeys())
        .containsExactly(Names.data("p", 1, 3, 0x0123_4567_89ab_cdefL + 3));
    ImageLocation image = Samples.location(1, 2);
    assertThatThrownBy(
            () ->
                new Descriptor(
                    "p", 1, 3, "", 0, image, new SliceIndex.InFooter(), CpLayout.OPAQUE, 0, NONE))
        .isInstanceOf(AssertionError.class)
        .hasMessage("batch 3 of epoch 1 in version 0, in an object up to batch 2");
  }
}
