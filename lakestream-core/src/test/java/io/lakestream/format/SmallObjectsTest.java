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

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.lakestream.format.SegmentTree.Reference;
import io.lakestream.format.proto.ArchiveMessage;
import io.lakestream.format.proto.BoundaryMessage;
import io.lakestream.format.proto.HintMessage;
import io.lakestream.format.proto.NodeMessage;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.Generation;
import io.lakestream.model.LakestreamException;
import io.lakestream.model.Mesh;
import io.lakestream.model.UnsupportedFormat;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hint, boundary, index node, segment, archive and namespace record: read back, or refused. */
class SmallObjectsTest {
  private static final Reference NODE = new Reference(2, 1L << 33, new Id128(1, 2));
  private static final Reference SEGMENT = new Reference(0, 2, new Id128(1, 2));

  private static ByteBuffer envelope(ObjectKind kind, MessageLite... messages) {
    List<Section> sections = new ArrayList<>();
    Arrays.asList(messages).forEach(message -> sections.add(Section.of(1, message)));
    return joined(new Envelope(kind, NAMESPACE, sections).encode());
  }

  private static void assertCorrupt(
      Function<ByteBuffer, ?> decoder, ByteBuffer bytes, String message) {
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> decoder.apply(bytes))
        .withMessageContaining(message);
  }

  /** No bit may flip and no byte be missing without a word about the object. */
  private static void assertEveryDamageNoticed(
      Function<ByteBuffer, ?> decoder, ByteBuffer good, String key) {
    byte[] bytes = new byte[good.remaining()];
    good.duplicate().get(bytes);
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] damaged = bytes.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> decoder.apply(ByteBuffer.wrap(damaged)))
          .as("bit %d", bit)
          .isInstanceOfAny(CorruptObject.class, UnsupportedFormat.class)
          .hasMessageContaining(key);
    }
    for (int length = 0; length < bytes.length; length++) {
      assertCorrupt(decoder, ByteBuffer.wrap(Arrays.copyOf(bytes, length)), key);
    }
  }

  @Test
  void aHintIsReadBackOrRefused() {
    Function<ByteBuffer, Hint> decoder = bytes -> Hint.decode(NAMESPACE, bytes);
    Hint hint = new Hint(Long.MAX_VALUE, 1L << 40);
    assertThat(decoder.apply(joined(hint.encode(NAMESPACE)))).isEqualTo(hint);
    assertEveryDamageNoticed(decoder, joined(hint.encode(NAMESPACE)), Names.HINT);
    assertCorrupt(decoder, joined(hint.encode(OTHER_NAMESPACE)), "namespace");
    assertCorrupt(decoder, envelope(ObjectKind.BOUNDARY), "bytes 4-5: expected HINT");
    assertCorrupt(decoder, envelope(ObjectKind.HINT), "expected one section 1, found 0");
    HintMessage negative = HintMessage.newBuilder().setVersion(-1).build();
    assertCorrupt(decoder, envelope(ObjectKind.HINT, negative), "a hint to version -1");
    HintMessage index = HintMessage.newBuilder().setBoundaryIndex(-1).build();
    assertCorrupt(decoder, envelope(ObjectKind.HINT, index), "and boundary -1");
  }

  @Test
  void aBoundaryIsReadBackOrRefused() {
    Function<ByteBuffer, Boundary> decoder = bytes -> Boundary.decode(3, NAMESPACE, bytes);
    Boundary boundary = new Boundary(3, 1L << 40);
    assertThat(decoder.apply(joined(boundary.encode(NAMESPACE)))).isEqualTo(boundary);
    assertEveryDamageNoticed(decoder, joined(boundary.encode(NAMESPACE)), Names.boundary(3));
    ByteBuffer fourth = joined(new Boundary(4, 50).encode(NAMESPACE));
    assertCorrupt(decoder, fourth, "its content: expected boundary 3, found boundary 4");
    BoundaryMessage dead = BoundaryMessage.newBuilder().setIndex(3).setVersion(-5).build();
    assertCorrupt(decoder, envelope(ObjectKind.BOUNDARY, dead), "boundary 3 at version -5");
    BoundaryMessage none = BoundaryMessage.newBuilder().setIndex(3).build();
    assertCorrupt(decoder, envelope(ObjectKind.BOUNDARY, none), "boundary 3 at version 0");
  }

  @Test
  void aNodeIsReadBackOrRefused() {
    Function<ByteBuffer, IndexNode> decoder = bytes -> IndexNode.decode(NODE, NAMESPACE, bytes);
    ByteBuffer good = joined(GoldenObjects.node().encode(NAMESPACE));
    assertThat(decoder.apply(good)).isEqualTo(GoldenObjects.node());
    assertEveryDamageNoticed(decoder, good, NODE.key());
    NodeMessage message =
        NodeMessage.newBuilder()
            .setLevel(2)
            .setIndex(1L << 33)
            .setChildHashes(ByteString.copyFrom(new byte[16]))
            .build();
    assertThat(decoder.apply(envelope(ObjectKind.NODE, message)).childHashes()).hasSize(1);
    for (NodeMessage bad :
        List.of(
            message.toBuilder().setLevel(1).build(),
            message.toBuilder().setIndex(5).build(),
            message.toBuilder().clearChildHashes().build(),
            message.toBuilder().setChildHashes(ByteString.copyFrom(new byte[17])).build(),
            message.toBuilder().setChildHashes(ByteString.copyFrom(new byte[33 * 16])).build())) {
      assertCorrupt(decoder, envelope(ObjectKind.NODE, bad), NODE.key() + " is corrupt at its ");
    }
  }

  @Test
  void aNodeHasNoChildOfAnotherRange() {
    IndexNode node = GoldenObjects.nodeAfterTrim();
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> node.childAt(126 * 128 - 1))
        .withMessageContaining("the index node of steps 12288 to 16383")
        .withMessageContaining("expected one for step 16127, found 2 others");
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> node.childAt(128 * 128))
        .withMessageContaining("one for step 16384");
    assertThatThrownBy(() -> new IndexNode(0, 0, node.childHashes()))
        .isInstanceOf(AssertionError.class)
        .hasMessage("a node of level 0 with 2 children");
  }

  @Test
  void aSegmentIsReadBackOrRefused() {
    Function<ByteBuffer, Segment> decoder = bytes -> Segment.decode(SEGMENT, NAMESPACE, bytes);
    Segment segment = GoldenObjects.segment();
    assertThat(decoder.apply(joined(segment.encode(NAMESPACE)))).isEqualTo(segment);
    byte[] damaged = Samples.array(segment.encode(NAMESPACE));
    damaged[damaged.length / 2] ^= 4;
    assertCorrupt(decoder, ByteBuffer.wrap(damaged), SEGMENT.key());
    assertCorrupt(decoder, envelope(ObjectKind.SEGMENT), "expected 2 chunks, found 0 chunks");
    assertCorrupt(decoder, joined(GoldenObjects.node().encode(NAMESPACE)), "bytes 4-5");
    Reference another = new Reference(0, 3, new Id128(1, 2));
    Segment misplaced = Segment.decode(another, NAMESPACE, joined(segment.encode(NAMESPACE)));
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> misplaced.chunks().get(0).decode(another.key()))
        .withMessageContaining("expected steps 384 to 447, found steps 256 to 319");
  }

  @Test
  void aSegmentHasTwoFullChunksFromAnAlignedStep() {
    List<Chunk> full = GoldenObjects.segment().chunks();
    List<Chunk> shifted = Chunk.append("", List.of(), 64, Samples.descriptors("p", 0, 128));
    List<Chunk> partial = Chunk.append("", List.of(), 0, Samples.descriptors("p", 0, 127));
    for (List<Chunk> chunks : List.of(full.subList(0, 1), shifted, partial)) {
      assertThatThrownBy(() -> new Segment(chunks))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("a segment of");
    }
  }

  @Test
  void anArchiveIsReadBackOrRefused() {
    ByteBuffer good = joined(GoldenObjects.archive().encode(NAMESPACE));
    String key = Names.archive(Id128.hashOf(List.of(good)));
    Function<ByteBuffer, ProducerArchive> decoder =
        bytes -> ProducerArchive.decode(key, NAMESPACE, bytes);
    assertThat(decoder.apply(good)).isEqualTo(GoldenObjects.archive());
    assertEveryDamageNoticed(decoder, good, key);
    ByteBuffer another =
        joined(new ProducerArchive(List.of(Samples.entry("x", 1, 2))).encode(NAMESPACE));
    assertCorrupt(
        decoder, another, key + " is corrupt at its content: expected what its name says");
    ByteBuffer bad =
        envelope(
            ObjectKind.ARCHIVE,
            ArchiveMessage.newBuilder()
                .addEntries(Samples.entry("x", 1, 2).toMessage().toBuilder().setEpoch(-1))
                .build());
    String itsKey = Names.archive(Id128.hashOf(List.of(bad)));
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> ProducerArchive.decode(itsKey, NAMESPACE, bad))
        .withMessageContaining("producer 'x' of epoch -1");
  }

  @Test
  void mergedArchivesKnowTheNewestOfEachProducer() {
    ProducerArchive newer =
        new ProducerArchive(List.of(Samples.entry("b", 9, 90), Samples.entry("c", 3, 3)));
    ProducerArchive older =
        new ProducerArchive(List.of(Samples.entry("b", 2, 20), Samples.entry("a", 1, 1)));
    ProducerArchive merged = ProducerArchive.merge(List.of(newer, older));
    assertThat(merged.entries()).extracting(ProducerEntry::id).containsExactly("a", "b", "c");
    assertThat(merged.entry("b")).contains(Samples.entry("b", 9, 90));
    assertThat(merged.entry("d")).isEmpty();
  }

  private static NamespaceRecord namespace(String json) {
    return NamespaceRecord.decode(utf8(json));
  }

  @Test
  void aNamespaceRecordIsReadBackOrRefused() {
    NamespaceRecord record = new NamespaceRecord(NAMESPACE, new Mesh(8, 2), List.of("a", "b\"c"));
    assertThat(NamespaceRecord.decode(ByteBuffer.wrap(record.encode()))).isEqualTo(record);
    byte[] bytes = record.encode();
    for (int length = 0; length < bytes.length - 2; length++) {
      ByteBuffer start = ByteBuffer.wrap(Arrays.copyOf(bytes, length));
      assertCorrupt(NamespaceRecord::decode, start, Names.NAMESPACE + " is corrupt at its content");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "3",
        "{}",
        "PK\u0003\u0004",
        "{\"lakestream\":1}",
        "{\"lakestream\":0,U,D,C}",
        "{\"lakestream\":-1,U,D,C}",
        "{\"lakestream\":1.5,U,D,C}",
        "{\"lakestream\":null,U,D,C}",
        "{\"lakestream\":1,\"lakestream\":1,U,D,C}",
        "{\"lakestream\":1,U,D,\"contextParallel\":0}",
        "{\"lakestream\":1,U,C,\"dataParallel\":70000}",
        "{\"lakestream\":1,U,C,\"dataParallel\":99999999999}",
        "{\"lakestream\":1,D,C,\"uuid\":\"1-2-3-4-5\"}",
        "{\"lakestream\":1,D,C,\"uuid\":\"00112233-4455-6677-8899-AABBCCDDEEFF\"}",
        "{\"lakestream\":1,D,C,\"uuid\":7}",
        "{\"lakestream\":1,U,D,C,\"store\":[1]}",
        "{\"lakestream\":1,U,D,C,\"store\":[\"a\",{}]}",
        "{\"lakestream\":1,U,D,C} more",
      })
  void whatIsNoNamespaceRecordIsRefused(String pattern) {
    String json =
        pattern
            .replace("U", "\"uuid\":\"%s\"".formatted(NAMESPACE))
            .replace("D,", "\"dataParallel\":8,")
            .replace("C}", "\"contextParallel\":2}")
            .replace("C,", "\"contextParallel\":2,");
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> namespace(Samples.withCrc(json)))
        .withMessageContaining("namespace.json is corrupt at its content");
  }

  @Test
  void damageOfAGenerationIsNoticed() {
    GenerationRecord record =
        new GenerationRecord(new Generation("train", 2, 8, 100, 7), Optional.of(new Id128(1, 2)));
    assertEveryDamageNoticed(
        bytes -> GenerationRecord.decode("train", 2, NAMESPACE, bytes),
        joined(record.encode(NAMESPACE)),
        record.key());
  }

  @Test
  void aPinIsCheckedAgainstItsName() {
    PinRecord pin = new PinRecord(7, 1, "x");
    Function<ByteBuffer, PinRecord> decoder =
        bytes -> PinRecord.decode(pin.key(), NAMESPACE, bytes);
    assertThat(decoder.apply(joined(pin.encode(NAMESPACE)))).isEqualTo(pin);
    assertEveryDamageNoticed(decoder, joined(pin.encode(NAMESPACE)), pin.key());
    PinRecord other = new PinRecord(8, 1, "x");
    assertCorrupt(decoder, joined(other.encode(NAMESPACE)), "a pin of this name");
    for (String name : List.of("pin/copy", "pin/copy-of-my-best-pin")) {
      assertCorrupt(
          bytes -> PinRecord.decode(name, NAMESPACE, bytes),
          joined(pin.encode(NAMESPACE)),
          "a pin of this name");
    }
  }

  @Test
  void everyBitOfANamespaceRecordIsChecked() {
    byte[] good = new NamespaceRecord(NAMESPACE, new Mesh(2, 1), List.of("a claim")).encode();
    int digits = new String(good, StandardCharsets.UTF_8).indexOf("crc32c") + "crc32c".length();
    for (int bit = 0; bit < 8 * digits; bit++) {
      byte[] flipped = good.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThatExceptionOfType(LakestreamException.class)
          .as("bit %d", bit)
          .isThrownBy(() -> NamespaceRecord.decode(ByteBuffer.wrap(flipped)));
    }
    assertThat(NamespaceRecord.decode(ByteBuffer.wrap(good)).mesh()).isEqualTo(new Mesh(2, 1));
  }

  @Test
  void aNamespaceOfANewerFormatAsksForAnUpgrade() {
    assertThatExceptionOfType(UnsupportedFormat.class)
        .isThrownBy(() -> namespace("{\"lakestream\":2,\"shards\":[]}"))
        .withMessageContaining("the namespace has format 2")
        .withMessageContaining("upgrade");
  }

  @Test
  void deeplyNestedJsonIsRefusedWithoutATrace() {
    String deep = "{\"a\":" + "[".repeat(100_000);
    assertThatExceptionOfType(CorruptObject.class).isThrownBy(() -> namespace(deep));
    String whole = "{\"a\":%s%s}".formatted("[".repeat(50_000), "]".repeat(50_000));
    assertThatExceptionOfType(CorruptObject.class).isThrownBy(() -> namespace(whole));
  }

  @Test
  void aStoreMayHaveNoClaims() {
    NamespaceRecord record = new NamespaceRecord(NAMESPACE, new Mesh(1, 1), List.of());
    assertThat(NamespaceRecord.decode(ByteBuffer.wrap(record.encode()))).isEqualTo(record);
    String without =
        "{\"lakestream\":1,\"uuid\":\"%s\",\"dataParallel\":1,\"contextParallel\":1}"
            .formatted(NAMESPACE);
    assertThat(namespace(Samples.withCrc(without))).isEqualTo(record);
  }

  @Test
  void anIdIsSixteenBytesAndThirtyTwoDigits() {
    Id128 id = new Id128(0x0102030405060708L, -1);
    assertThat(id).hasToString("0102030405060708ffffffffffffffff");
    ByteBuffer bytes = ByteBuffer.allocate(20).position(2);
    bytes.put(id.toBytes()).position(2);
    assertThat(Id128.read(bytes)).isEqualTo(id);
    assertThat(bytes.position()).isEqualTo(18);
    assertThat(Id128.hashOf(List.of(utf8("ab"), utf8("c"))))
        .hasToString("ba7816bf8f01cfea414140de5dae2223")
        .isEqualTo(Id128.hashOf(Collections.singleton(utf8("abc"))));
  }
}
