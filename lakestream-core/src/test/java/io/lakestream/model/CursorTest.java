// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A cursor is one line of JSON that any later version reads, or says why it does not. */
class CursorTest {
  private static final UUID NAMESPACE = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

  @Test
  void aCursorComesBackFromItsText() {
    Cursor cursor = new Cursor(NAMESPACE, 1L << 40, Long.MAX_VALUE, 3);
    assertThat(cursor.toJson())
        .isEqualTo(
            "{\"lakestream\":1,\"namespace\":\"00112233-4455-6677-8899-aabbccddeeff\","
                + "\"version\":1099511627776,\"step\":9223372036854775807,\"part\":3}");
    assertThat(Cursor.parse(cursor.toJson())).isEqualTo(cursor);
    assertThat(Cursor.parse(Cursor.start(NAMESPACE).toJson()))
        .isEqualTo(new Cursor(NAMESPACE, 0, 0, 0));
  }

  @Test
  void fieldsThatAreNotKnownAreLeftAside() {
    String text =
        "{\"more\":{\"a\":[1]},\"lakestream\":1,\"namespace\":\"%s\",\"version\":2,\"step\":3,"
                .formatted(NAMESPACE)
            + "\"part\":0,\"list\":[{}],\"text\":\"x\"}";
    assertThat(Cursor.parse(text)).isEqualTo(new Cursor(NAMESPACE, 2, 3, 0));
  }

  @Test
  void aNewerFormatAsksForAnUpgrade() {
    assertThatExceptionOfType(UnsupportedFormat.class)
        .isThrownBy(() -> Cursor.parse("{\"lakestream\":2}"))
        .withMessageContaining("the cursor has format 2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|it is no JSON object",
        "null|it is no JSON object",
        "[1]|it is no JSON object",
        "{\"lakestream\":1|it is no JSON",
        "{\"lakestream\":1,}|it is no JSON",
        "{}|it has no field 'lakestream'",
        "{\"lakestream\":\"one\"}|field 'lakestream' is no whole number",
        "{\"lakestream\":1,\"namespace\":\"0-0-0-0-0\"}|it has no field 'part'",
        "{\"lakestream\":1,\"part\":0,\"version\":1,\"step\":1}|Invalid UUID string",
        "{\"lakestream\":\"1\"}|field 'lakestream' is no whole number",
        "{\"lakestream\":1,\"lakestream\":1}|it is no JSON",
        "{\"lakestream\":1} x|it is no JSON",
        "{\"lakestream\":1} {}|something stands behind it",
      })
  void whatIsNoCursorIsRefusedWithTheReason(String text, String reason) {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> Cursor.parse(text))
        .withMessageContaining("this is no cursor, since " + reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"version\":-1,\"step\":0,\"part\":0",
        "\"version\":0,\"step\":-1,\"part\":0",
        "\"version\":0,\"step\":0,\"part\":-1",
        "\"version\":0,\"step\":0,\"part\":4294967296",
        "\"version\":0,\"step\":1.5,\"part\":0",
        "\"version\":0,\"step\":99999999999999999999,\"part\":0",
      })
  void numbersThatCannotBeAreRefused(String numbers) {
    String text = "{\"lakestream\":1,\"namespace\":\"%s\",%s}".formatted(NAMESPACE, numbers);
    assertThatExceptionOfType(InvalidRequest.class).isThrownBy(() -> Cursor.parse(text));
  }

  @Test
  void aLongTextIsShownInPart() {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> Cursor.parse("x".repeat(10_000)))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300).endsWith("…"));
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> Cursor.parse("{\"a\":" + "[".repeat(100_000)));
  }
}
