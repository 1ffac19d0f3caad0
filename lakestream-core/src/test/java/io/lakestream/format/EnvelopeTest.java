// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static io.lakestream.format.Samples.NAMESPACE;
import static io.lakestream.format.Samples.OTHER_NAMESPACE;
import static io.lakestream.format.Samples.array;
import static io.lakestream.format.Samples.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.model.CorruptObject;
import io.lakestream.model.UnsupportedFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An envelope gives back its sections, or says what is wrong with which bytes of which object. */
class EnvelopeTest {
  private static final String KEY = "some/key";
  private static final Envelope TWO =
      new Envelope(
          ObjectKind.SEGMENT, NAMESPACE, List.of(section(1, "first"), section(9, "second")));

  private static Section section(int id, String text) {
    ByteBuffer body = utf8(text);
    return new Section(id, body, Checksum.of(body));
  }

  private static Envelope decode(byte[] bytes) {
    return Envelope.decode(KEY, ObjectKind.SEGMENT, NAMESPACE, ByteBuffer.wrap(bytes));
  }

  private static void assertCorrupt(byte[] bytes, String place) {
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> decode(bytes))
        .withMessageContaining(KEY)
        .withMessageContaining(place);
  }

  /** Puts a right checksum behind a head that was changed. */
  private static byte[] withHeadChecksum(byte[] bytes, int sections) {
    int end = Envelope.directoryBytes(sections) - Integer.BYTES;
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(end, Checksum.of(ByteBuffer.wrap(bytes, 0, end)));
    return bytes;
  }

  @Test
  void theSectionsComeBackInOrder() {
    Envelope decoded = decode(array(TWO.encode()));
    assertThat(decoded).isEqualTo(TWO);
    assertThat(decoded.sections()).extracting(Section::id).containsExactly(1, 9);
    assertThat(array(decoded.encode())).isEqualTo(array(TWO.encode()));
  }

  @Test
  void theHeadIsLittleEndianExceptForTheUuid() {
    byte[] bytes = array(TWO.encode());
    ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(new String(bytes, 0, 5, java.nio.charset.StandardCharsets.US_ASCII))
        .isEqualTo("LAKES");
    assertThat(Arrays.copyOfRange(bytes, 5, 8)).containsExactly(1, 0, 2);
    assertThat(head.order(ByteOrder.BIG_ENDIAN).getLong(8))
        .isEqualTo(NAMESPACE.getMostSignificantBits());
    head.order(ByteOrder.LITTLE_ENDIAN);
    assertThat(head.getInt(24)).isEqualTo(bytes.length);
    assertThat(head.getInt(28)).isEqualTo(1);
    assertThat(head.getInt(32)).isEqualTo("first".length());
    assertThat(head.getInt(52)).isEqualTo(Checksum.of(ByteBuffer.wrap(bytes, 0, 52)));
  }

  @Test
  void anEnvelopeMayStartAnywhereInItsBuffer() {
    byte[] bytes = array(TWO.encode());
    ByteBuffer shifted = ByteBuffer.allocate(bytes.length + 7).position(7);
    shifted.put(bytes).position(7);
    assertThat(Envelope.decode(KEY, ObjectKind.SEGMENT, NAMESPACE, shifted)).isEqualTo(TWO);
    assertThat(shifted.position()).isEqualTo(7);
  }

  @Test
  void anEnvelopeWithoutSectionsIsOne() {
    Envelope none = new Envelope(ObjectKind.HINT, NAMESPACE, List.of());
    ByteBuffer bytes = Samples.joined(none.encode());
    assertThat(bytes.remaining()).isEqualTo(32);
    assertThat(Envelope.decode(KEY, ObjectKind.HINT, NAMESPACE, bytes)).isEqualTo(none);
  }

  @Test
  void aSectionMayBeEmpty() {
    Envelope empty = new Envelope(ObjectKind.HINT, NAMESPACE, List.of(section(1, "")));
    ByteBuffer bytes = Samples.joined(empty.encode());
    assertThat(Envelope.decode(KEY, ObjectKind.HINT, NAMESPACE, bytes)).isEqualTo(empty);
  }

  @Test
  void asManySectionsAsAByteCountsAreRead() {
    Envelope many =
        new Envelope(ObjectKind.SEGMENT, NAMESPACE, Collections.nCopies(255, section(3, "x")));
    assertThat(decode(array(many.encode())).sections()).hasSize(255);
    assertThatThrownBy(
            () ->
                new Envelope(
                    ObjectKind.SEGMENT, NAMESPACE, Collections.nCopies(256, section(3, "x"))))
        .isInstanceOf(AssertionError.class)
        .hasMessage("an envelope of 256 sections");
  }

  @Test
  void aCutOffEnvelopeIsCorruptWhereverItEnds() {
    byte[] bytes = array(TWO.encode());
    for (int length = 0; length < bytes.length; length++) {
      assertCorrupt(Arrays.copyOf(bytes, length), "expected");
    }
    assertCorrupt(new byte[0], "its start: expected at least 24 bytes, found 0 bytes");
    assertCorrupt(Arrays.copyOf(bytes, 40), "its directory: expected 56 bytes, found 40 bytes");
    assertCorrupt(
        Arrays.copyOf(bytes, bytes.length - 1), "its end: expected 67 bytes in all, found 66");
  }

  @Test
  void anEnvelopeWithSomethingBehindItIsCorrupt() {
    byte[] bytes = array(TWO.encode());
    assertCorrupt(Arrays.copyOf(bytes, bytes.length + 1), "its end");
  }

  @Test
  void anyFlippedBitIsNoticed() {
    byte[] bytes = array(TWO.encode());
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] damaged = bytes.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> decode(damaged))
          .as("bit %d", bit)
          .isInstanceOfAny(CorruptObject.class, UnsupportedFormat.class)
          .hasMessageContaining(KEY);
    }
  }

  @Test
  void aFlippedBitIsPlacedInItsSection() {
    byte[] bytes = array(TWO.encode());
    bytes[bytes.length - 1] ^= 1;
    assertCorrupt(bytes, "section 9, bytes 61-66: expected crc32c");
    byte[] head = array(TWO.encode());
    head[30] ^= 1;
    assertCorrupt(head, "bytes 0-55: expected crc32c");
  }

  @Test
  void somethingElseIsNoEnvelope() {
    byte[] bytes = array(TWO.encode());
    bytes[0] = 'P';
    assertCorrupt(bytes, "bytes 0-3: expected the magic LAKE, found 50414b45");
  }

  @ParameterizedTest
  @EnumSource(value = ObjectKind.class, names = "SEGMENT", mode = EnumSource.Mode.EXCLUDE)
  void anObjectOfAnotherKindIsRefused(ObjectKind kind) {
    byte[] bytes = array(new Envelope(kind, NAMESPACE, List.of()).encode());
    assertCorrupt(bytes, "bytes 4-5: expected SEGMENT of format 1, found kind " + kind.code());
  }

  @Test
  void aKindThatNobodyKnowsIsRefused() {
    byte[] bytes = array(TWO.encode());
    bytes[4] = 'z';
    assertCorrupt(withHeadChecksum(bytes, 2), "bytes 4-5");
  }

  @Test
  void anObjectOfAnotherNamespaceIsRefused() {
    byte[] bytes = array(new Envelope(ObjectKind.SEGMENT, OTHER_NAMESPACE, List.of()).encode());
    assertCorrupt(
        bytes, "bytes 8-23: expected namespace " + NAMESPACE + ", found an object of namespace");
  }

  @Test
  void aNewerMajorVersionAsksForAnUpgrade() {
    for (int major : new int[] {2, 127, 255}) {
      byte[] bytes = array(TWO.encode());
      bytes[5] = (byte) major;
      assertThatExceptionOfType(UnsupportedFormat.class)
          .isThrownBy(() -> decode(bytes))
          .withMessageContaining("some/key has format %d", major)
          .withMessageContaining("upgrade Lakestream");
    }
  }

  @Test
  void majorVersionZeroNeverWas() {
    byte[] bytes = array(TWO.encode());
    bytes[5] = 0;
    assertCorrupt(withHeadChecksum(bytes, 2), "kind 83 of format 0");
  }

  @Test
  void aNewerMinorVersionIsRead() {
    byte[] bytes = array(TWO.encode());
    bytes[6] = 9;
    assertThat(decode(withHeadChecksum(bytes, 2))).isEqualTo(TWO);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1_000_000, 12})
  void aSectionLongerThanTheObjectIsCorrupt(int length) {
    byte[] bytes = array(TWO.encode());
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(32, length);
    assertCorrupt(withHeadChecksum(bytes, 2), "its section table");
  }

  @Test
  void sectionsThatLeaveBytesOverAreCorrupt() {
    byte[] bytes = array(TWO.encode());
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(44, 5);
    assertCorrupt(
        withHeadChecksum(bytes, 2), "its section table: expected 67 bytes, found 66 bytes");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 31, 68, -1})
  void aTotalLengthThatTheSectionsDoNotHaveIsCorrupt(int total) {
    byte[] bytes = array(TWO.encode());
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(24, total);
    assertCorrupt(withHeadChecksum(bytes, 2), "its section table");
  }

  @Test
  void oneSectionIsTakenByItsId() {
    assertThat(TWO.section(KEY, 9).body()).isEqualTo(utf8("second"));
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> TWO.section(KEY, 2))
        .withMessageContaining("its directory: expected one section 2, found 0 of them");
    Envelope twice =
        new Envelope(ObjectKind.SEGMENT, NAMESPACE, List.of(section(1, "a"), section(1, "b")));
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> twice.section(KEY, 1))
        .withMessageContaining("expected one section 1, found 2 of them");
  }

  @Test
  void aHeadIsEnoughToFindASection() {
    byte[] bytes = array(TWO.encode());
    ByteBuffer start = ByteBuffer.wrap(Arrays.copyOf(bytes, 56));
    EnvelopeDirectory directory =
        EnvelopeDirectory.decode(KEY, ObjectKind.SEGMENT, NAMESPACE, start);
    assertThat(directory.totalBytes()).isEqualTo(bytes.length);
    EnvelopeDirectory.Entry second = directory.entries().get(1);
    assertThat(second.offset()).isEqualTo(61);
    Section section = second.check(KEY, ByteBuffer.wrap(bytes, 61, 6));
    assertThat(section.body()).isEqualTo(utf8("second"));
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> second.check(KEY, ByteBuffer.wrap(bytes, 61, 5)))
        .withMessageContaining("section 9, bytes 61-66: expected 6 bytes, found 5 bytes");
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> second.check(KEY, ByteBuffer.wrap(bytes, 60, 6)))
        .withMessageContaining("crc32c");
  }

  @Test
  void theChecksumIsCrc32cAsItsStandardGivesIt() {
    assertThat(Checksum.of(utf8("123456789"))).isEqualTo(0xe3069283);
    assertThat(Checksum.of(ByteBuffer.allocate(0))).isZero();
    assertThat(Checksum.of(ByteBuffer.allocate(32))).isEqualTo(0x8a9136aa);
    assertThat(Checksum.text(0x0a0b0c0d)).isEqualTo("crc32c 0a0b0c0d");
  }
}
