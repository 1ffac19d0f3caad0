// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.model.InvalidRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys are plain, bounded, sorted by number, and never the same for two things. */
class NamesTest {

  @Test
  void keysAreAsTheSpecificationSays() {
    Id128 hash = new Id128(0x0f0e0d0c0b0a0908L, 0x0706050403020100L);
    assertThat(Names.manifest(11)).isEqualTo("manifest/00000000000000000011.manifest");
    assertThat(Names.manifest(Long.MAX_VALUE)).isEqualTo("manifest/09223372036854775807.manifest");
    assertThat(Names.boundary(3)).isEqualTo("boundary/00000000000000000003");
    assertThat(Names.segment(128, 255, hash))
        .isEqualTo(
            "segment/00000000000000000128-00000000000000000255-0f0e0d0c0b0a09080706050403020100");
    assertThat(Names.archive(hash)).isEqualTo("archive/0f0e0d0c0b0a09080706050403020100");
    assertThat(Names.data("pack-007", 31, 12, 0x0123456789abcdefL))
        .isEqualTo("data/be/pack-007-31-12-0123456789abcdef.tgb");
    assertThat(Names.dataPart("pack-007", 31, 12, 0x0123456789abcdefL, 4))
        .isEqualTo("data/d7/pack-007-31-12-0123456789abcdef.part00004.tgb");
    assertThat(Names.provenance("pack-007", 31, 12, -1))
        .isEqualTo("data/4b/pack-007-31-12-ffffffffffffffff.provenance");
  }

  @Test
  void theTwoDigitsSpreadKeysByTheChecksumOfTheirNames() {
    String key = Names.data("p", 1, 2, 3);
    String name = key.substring("data/00/".length());
    int crc = Checksum.of(Samples.utf8(name));
    assertThat(key).startsWith("data/%02x/".formatted(crc & 0xff));
    TreeSet<String> folders = new TreeSet<>();
    for (int i = 0; i < 5_000; i++) {
      folders.add(Names.data("p", 1, i, i).substring(0, 7));
    }
    assertThat(folders).hasSize(256);
  }

  @Test
  void numberedKeysSortByNumber() {
    List<Long> numbers = new ArrayList<>(List.of(0L, 9L, 10L, 99L, 1L << 32, Long.MAX_VALUE));
    Collections.shuffle(numbers, new Random(1));
    List<String> keys = numbers.stream().map(Names::manifest).sorted().toList();
    Collections.sort(numbers);
    assertThat(keys).isEqualTo(numbers.stream().map(Names::manifest).toList());
  }

  @Test
  void aKeyOfANumberIsReadBack() {
    for (long number : List.of(0L, 11L, 8_999_999_999_999_999_999L, Long.MAX_VALUE)) {
      assertThat(Names.manifestOf(Names.manifest(number))).hasValue(number);
      assertThat(Names.boundaryOf(Names.boundary(number))).hasValue(number);
      assertThat(Names.boundaryOf(Names.manifest(number))).isEmpty();
    }
    assertThat(Names.manifestOf(Names.HINT)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "09223372036854775808",
        "10000000000000000000",
        "99999999999999999999",
        "1",
        "-1",
        "",
        "000000000000000000011",
        "0000000000000000001x",
        "٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠"
      })
  void whatIsNoNumberOfOursIsNoKey(String digits) {
    String hash = "-0f0e0d0c0b0a09080706050403020100";
    assertThat(Names.manifestOf("manifest/" + digits + ".manifest")).isEmpty();
    assertThat(Names.boundaryOf("boundary/" + digits)).isEmpty();
    String zero = "0".repeat(20);
    assertThat(SegmentTree.Reference.ofKey("segment/" + digits + "-" + zero + hash)).isEmpty();
    assertThat(SegmentTree.Reference.ofKey("segment/" + zero + "-" + digits + hash)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "pack-007, pack-007",
    "a.b_c-9, a.b_c-9",
    "Pack, =50ack",
    "a b, a=20b",
    "a/b, a=2fb",
    "a=b, a=3db",
    "ä, =c3=a4",
    "😀, =f0=9f=98=80",
  })
  void aUsersNameIsEscapedOnce(String name, String escaped) {
    assertThat(Names.escape(name)).isEqualTo(escaped);
  }

  @Test
  void twoNamesNeverEscapeToTheSame() {
    Random random = new Random(7);
    String alphabet = "a=2f/ -.\u00e9\u0130Z";
    TreeSet<String> names = new TreeSet<>();
    TreeSet<String> escaped = new TreeSet<>();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder name = new StringBuilder();
      for (int length = 1 + random.nextInt(4); length > 0; length--) {
        name.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      names.add(name.toString());
      escaped.add(Names.escape(name.toString()));
    }
    assertThat(escaped).hasSameSizeAs(names);
    assertThat(escaped).allMatch(name -> name.matches("[a-z0-9=._-]+"));
  }

  @Test
  void aNameHasOneToSixtyFourBytesOnceEscaped() {
    assertThat(Names.escape("a".repeat(64))).hasSize(64);
    assertThat(Names.escape("Ä".repeat(10))).hasSize(60);
    for (String name : List.of("", "a".repeat(65), "Ä".repeat(11))) {
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> Names.escape(name))
          .withMessageContaining("1 to 64 bytes")
          .withMessageContaining(
              "not %d: '%s'", name.isEmpty() ? 0 : name.startsWith("a") ? 65 : 66, name);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud83d", "\ude00a", "a\ud83d"})
  void halfASurrogatePairIsNoName(String name) {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> Names.escape(name))
        .withMessageContaining("half a surrogate pair");
  }

  @Test
  void theLongestKeysFitEveryStore() {
    String id = "z".repeat(64);
    long max = Long.MAX_VALUE;
    assertThat(Names.dataPart(id, max, max, -1, FormatLimits.PARTS_MAX - 1)).hasSizeLessThan(160);
    assertThat(Names.provenance(id, max, max, -1)).hasSizeLessThan(160);
    assertThat(Names.segment(0, max, new Id128(-1, -1))).hasSizeLessThan(160);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ar-EG-u-nu-arab", "hi-IN-u-nu-deva", "fa-IR", "tr-TR", "th-TH-u-nu-thai"})
  void theUsersLanguageDoesNotChangeKeys(String language) {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag(language));
      keysAreAsTheSpecificationSays();
      assertThat(Names.escape("INFO")).isEqualTo("=49=4e=46=4f");
    } finally {
      Locale.setDefault(before);
    }
  }
}
