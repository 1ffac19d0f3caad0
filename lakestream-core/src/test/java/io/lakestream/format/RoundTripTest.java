// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static io.lakestream.format.Samples.NAMESPACE;
import static io.lakestream.format.Samples.joined;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is encoded is decoded to the same, for values of every size. A failure names its seed. */
class RoundTripTest {
  private static final int SEEDS = 400;

  @Test
  void manifestsComeBackAsTheyWere() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Manifest manifest = new RandomRecords(seed).manifest();
      ByteBuffer bytes = joined(manifest.encode(NAMESPACE));
      Manifest decoded = Manifest.decode(manifest.version(), NAMESPACE, bytes);
      assertThat(decoded).as("seed %d", seed).isEqualTo(manifest);
      assertThat(joined(decoded.encode(NAMESPACE))).as("seed %d", seed).isEqualTo(bytes);
      assertThat(manifest.bytes()).as("seed %d", seed).isEqualTo(bytes.remaining());
    }
  }

  @Test
  void descriptorsComeBackAsTheyWere() {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomRecords records = new RandomRecords(seed);
      DescriptorBlock block =
          new DescriptorBlock(records.number(50), records.descriptors(40), Samples.NEWER);
      DescriptorBlock decoded = DescriptorBlock.decode("key", ByteBuffer.wrap(block.encode()));
      assertThat(decoded).as("seed %d", seed).isEqualTo(block);
      assertThat(decoded.encode()).as("seed %d", seed).isEqualTo(block.encode());
    }
  }

  @Test
  void archivesComeBackAsTheyWere() {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomRecords records = new RandomRecords(seed);
      List<ProducerEntry> entries = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        entries.add(records.entry("producer-" + i));
      }
      ProducerArchive archive = new ProducerArchive(entries);
      ByteBuffer bytes = joined(archive.encode(NAMESPACE));
      String key = Names.archive(Id128.hashOf(List.of(bytes)));
      assertThat(ProducerArchive.decode(key, NAMESPACE, bytes)).isEqualTo(archive);
    }
  }

  @Test
  void sliceLengthsComeBackAsTheyWere() {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomRecords records = new RandomRecords(seed);
      List<Long> numbers = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        numbers.add(records.number(63));
      }
      byte[] encoded = SliceIndex.Varints.encode(numbers);
      assertThat(encoded).hasSize(SliceIndex.Varints.bytes(numbers));
      assertThat(SliceIndex.Varints.decode(ByteBuffer.wrap(encoded))).isEqualTo(numbers);
    }
  }

  @Test
  void everyByteOfAnImageIsInOneRangeOfOneObject() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      ImageLocation image = new RandomRecords(seed).location(5);
      long offset = (long) (random.nextDouble() * image.length());
      long length = 1 + (long) (random.nextDouble() * (image.length() - offset));
      length = Math.min(length, image.length() - offset);
      long position = offset;
      for (ImageLocation.ObjectRange range :
          image.locate(image.keys("p", 1), new SliceIndex.Range(offset, length))) {
        checkRange(image, range, position);
        position += range.length();
      }
      assertThat(position).as("seed %d", seed).isEqualTo(offset + length);
    }
  }

  private static void checkRange(
      ImageLocation image, ImageLocation.ObjectRange range, long position) {
    assertThat(range.length()).isPositive();
    if (image.partBytes() == 0) {
      assertThat(range.key()).isEqualTo(Names.data("p", 1, 5, image.random()));
      assertThat(range.offset()).isEqualTo(image.objectOffset() + position);
      return;
    }
    long part = position / image.partBytes();
    assertThat(range.key()).isEqualTo(Names.dataPart("p", 1, 5, image.random(), part));
    assertThat(part * image.partBytes() + range.offset()).isEqualTo(position);
    assertThat(range.offset() + range.length()).isLessThanOrEqualTo(image.partBytes());
  }
}
