// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import static io.lakestream.text.Inputs.read;
import static io.lakestream.text.Inputs.write;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonLinesTest {
  @TempDir private Path folder;

  @Test
  void eachLineIsADocument() {
    Path file = lines("{\"text\":\"one\\n\\u00e9\"}", "{\"id\":[1,{\"text\":2}],\"text\":\"two\"}");
    assertThat(read(Documents.of(file))).containsExactly("0 a.jsonl#1 one\né", "1 a.jsonl#2 two");
  }

  @Test
  void anotherFieldMayHoldTheText() {
    Path file = lines("{\"text\":1,\"content\":\"here\"}");
    assertThat(read(Documents.of(file, "content"))).containsExactly("0 a.jsonl#1 here");
  }

  @Test
  void blankLinesAndEmptyTextsAreSkippedAndCountedAndKeepTheirNumbers() {
    Path file = lines("{\"text\":\"one\"}\r", " ", "{\"text\":\"\"}", "", "{\"text\":\"five\"}");
    Documents documents = Documents.of(file);
    try (DocumentCursor cursor = documents.open()) {
      assertThat(Inputs.drain(cursor))
          .containsExactly(
              new Document(0, "a.jsonl#1", "one"), new Document(4, "a.jsonl#5", "five"));
      assertThat(cursor.skipped()).hasToString("3 lines without text");
    }
    assertThat(read(documents.share(0, 2))).containsExactly("0 a.jsonl#1 one", "2 a.jsonl#5 five");
    assertThat(read(documents.share(1, 2))).isEmpty();
  }

  @Test
  void linesLongerThanTheBufferAreWhole() {
    String one = "1".repeat(64 * 1024 - 11);
    String two = "2".repeat(300_000);
    Path file =
        lines("{\"text\":\"" + one + "\"}", "{\"text\":\"" + two + "\"}", "{\"text\":\"3\"}");
    assertThat(read(Documents.of(file)))
        .containsExactly("0 a.jsonl#1 " + one, "1 a.jsonl#2 " + two, "2 a.jsonl#3 3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[\"text\"] | is not a JSON object",
        "\"text\" | is not a JSON object",
        "{\"other\":\"x\"} | has no field 'text'",
        "{\"text\":1} | has a field 'text' that is no single string",
        "{\"text\":null} | has a field 'text' that is no single string",
        "{\"text\":[\"x\"]} | has a field 'text' that is no single string",
        "{\"text\":\"x\",\"text\":\"y\"} | has a field 'text' that is no single string",
        "{\"text\":\"x\"} {} | has something after its JSON object",
        "{\"text\":\"\\ud83d\"} | has half of a surrogate pair in field 'text'",
        "{\"text\":\"x\" | is not valid JSON",
        "{text:1} | is not valid JSON",
        "{\"text\":\"x\"}} | is not valid JSON",
        "{\"a\":{\"text\":\"x\"}} | has no field 'text'",
      })
  void badLinesAreRefusedWithTheirPlace(String line, String why) {
    Path file = lines("{\"text\":\"fine\"}", "", line);
    try (DocumentCursor cursor = Documents.of(file).open(1)) {
      assertThatThrownBy(cursor::next)
          .isInstanceOf(UnusableInput.class)
          .hasMessageContaining(file + " line 3 " + why)
          .hasMessageContaining(
              "each line is a JSON object with its text in a string field 'text'");
    }
  }

  @Test
  void malformedTextIsRefusedWithLineAndByte() {
    byte[] bytes = "{\"text\":\"a\"}\n{\"text\":\"?\"}\n".getBytes(StandardCharsets.UTF_8);
    bytes[22] = (byte) 0xE9;
    Path file = write(folder.resolve("a.jsonl"), bytes);
    try (DocumentCursor cursor = Documents.of(file).open(1)) {
      assertThatThrownBy(cursor::next)
          .isInstanceOf(UnusableInput.class)
          .hasMessageContaining(file + " line 2 is not UTF-8 at byte 22");
    }
  }

  @Test
  void aLineLongerThanADocumentMayBeIsRefused() throws IOException {
    Entry entry = Entry.ofFile("a.jsonl", folder.resolve("a.jsonl"), 0);
    byte[] bytes = ("x".repeat(100_000) + "\n" + "y".repeat(100_001)).getBytes(US_ASCII);
    InputStream stream = new ByteArrayInputStream(bytes);
    try (JsonLines lines = new JsonLines(entry, stream, "text", 100_000)) {
      assertThat(lines.advance()).isTrue();
      assertThatThrownBy(lines::advance)
          .isInstanceOf(UnusableInput.class)
          .hasMessageContaining("a.jsonl line 2 is longer than the 100000 bytes");
    }
  }

  @Test
  void aStreamThatComesInDribsGivesTheSameLines() throws IOException {
    byte[] bytes = "{\"text\":\"é\"}\n\n{\"text\":\"b\"}".getBytes(StandardCharsets.UTF_8);
    InputStream dribs =
        new ByteArrayInputStream(bytes) {
          @Override
          public synchronized int read(byte[] target, int from, int length) {
            return super.read(target, from, Math.min(1, length));
          }
        };
    try (JsonLines lines = new JsonLines(Entry.ofFile("a", folder, 0), dribs, "text", 100)) {
      assertThat(lines.advance()).isTrue();
      assertThat(lines.text()).contains("é");
      assertThat(lines.advance()).isTrue();
      assertThat(lines.text()).isEmpty();
      assertThat(lines.advance()).isTrue();
      assertThat(lines.text()).contains("b");
      assertThat(lines.line()).isEqualTo(3);
      assertThat(lines.advance()).isFalse();
      assertThat(lines.advance()).isFalse();
    }
  }

  private Path lines(String... lines) {
    return write(folder.resolve("a.jsonl"), String.join("\n", List.of(lines)));
  }
}
