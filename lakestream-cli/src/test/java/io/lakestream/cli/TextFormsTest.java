// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static io.lakestream.cli.Table.left;
import static io.lakestream.cli.Table.right;
import static io.lakestream.cli.Table.sentence;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.model.DType;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tables, units and elements as people read them. */
final class TextFormsTest {
  private static String print(Table table) {
    return print(table, Screen.none());
  }

  private static String print(Table table, Screen screen) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(out, true, UTF_8);
    Console console = new Console(out, err, Map.of(), new Stop(), screen);
    table.print(console);
    console.flush();
    return out.toString(UTF_8);
  }

  @Test
  void aTableLinesUpAndItsLinesDoNotEndInBlanks() {
    Table table = new Table(left("name"), right("size"), left("note"));
    table.row("a", 1, "x").row("größer 𝄞", 1000, "").row("tab\there", 20, "y");
    assertThat(print(table))
        .isEqualTo(
            """
            name      size  note
            a            1  x
            größer 𝄞  1000
            tab?here    20  y
            """);
    assertThat(print(table.row("b", 2, "z"))).isEqualTo("b            2  z\n");
  }

  @Test
  void aTableFitsIntoATerminalAndLosesTheMiddlesOfTextsOnly() {
    Table table = new Table(right("step"), left("producer"), left("object"));
    table.row(123_456, "packer-0", "data/packer-0/00000000000000000001.tgb");
    table.row(7, "p", "データ/データ/データ/データ");
    String whole = print(table);
    assertThat(whole.lines().mapToInt(Width::of).max()).hasValue(56);
    for (int columns : List.of(56, 40, 26, 20)) {
      table = new Table(right("step"), left("producer"), left("object"));
      table.row(123_456, "packer-0", "data/packer-0/00000000000000000001.tgb");
      table.row(7, "p", "データ/データ/データ/データ");
      String shown = print(table, Screen.of(OptionalInt.of(columns)));
      assertThat(shown.lines().mapToInt(Width::of)).allMatch(width -> width <= columns);
      assertThat(shown).contains("123456");
    }
    assertThat(print(table.row(8, "p", "data/packer-0/1.tgb"), Screen.of(OptionalInt.of(40))))
        .isEqualTo("     8  p         data/packer-0/1.tgb\n");
  }

  @Test
  void aSentenceIsPrintedToItsEnd() {
    Table table = new Table(left("check"), sentence("detail"));
    table.row("x", "so long that it does not fit into this terminal");
    assertThat(print(table, Screen.of(OptionalInt.of(20)))).contains("into this terminal\n");
  }

  @Test
  void textsAreShortenedByColumnsNotCharacters() {
    assertThat(Width.shorten("0123456789", 10)).isEqualTo("0123456789");
    assertThat(Width.shorten("0123456789", 6)).isEqualTo("012…89");
    assertThat(Width.shorten("ああああ", 6)).isEqualTo("あ…あ");
    assertThat(Width.shorten("𝄞𝄞𝄞𝄞", 3)).isEqualTo("𝄞…𝄞");
    assertThat(Width.cut("0123456789", 4)).isEqualTo("012…");
    assertThat(Width.of("größe")).isEqualTo(5);
  }

  @Test
  void aLineThatChangesIsCutAndTakenBackBeforeAnotherIsPrinted() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(out, true, UTF_8);
    Screen screen = Screen.of(OptionalInt.of(10));
    Console console = new Console(out, err, Map.of(), new Stop(), screen);
    console.status().show("0123456789");
    console.note("stays");
    console.status().clear();
    assertThat(out.toString(UTF_8))
        .isEqualTo("\r\u001b[K012345…\r\u001b[Klakestream: stays" + System.lineSeparator());
  }

  @Test
  void unitsAreWhatPeopleSay() {
    assertThat(Units.bytes(0)).isEqualTo("0 B");
    assertThat(Units.bytes(1023)).isEqualTo("1023 B");
    assertThat(Units.bytes(1024)).isEqualTo("1.0 KiB");
    assertThat(Units.bytes(1024 * 1024 - 1)).isEqualTo("1.0 MiB");
    assertThat(Units.bytes(Long.MAX_VALUE)).isEqualTo("8.0 EiB");
    assertThat(Units.count(1, "step")).isEqualTo("1 step");
    assertThat(Units.count(12_345, "batch")).isEqualTo("12,345 batches");
    assertThat(Units.speed(2_500_000, 1_000_000_000)).isEqualTo("2.5 MB/s");
    assertThat(Units.speed(2_500, 1_000_000_000)).isEqualTo("2.5 kB/s");
    assertThat(Units.speed(0, 0)).isEqualTo("0.0 kB/s");
    assertThat(Units.duration(1_500_000)).isEqualTo("1.5 ms");
    assertThat(Units.duration(61_000_000_000L)).isEqualTo("61.0 s");
    assertThat(Units.millis(1_234_567)).isEqualTo(1.235);
  }

  private static String element(DType dtype, long bits) {
    ByteBuffer data = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, bits);
    String text = Elements.next(dtype, data);
    assertThat(data.position()).isEqualTo(dtype.bytes());
    return text;
  }

  @Test
  void elementsOfEveryTypeAreRead() {
    assertThat(element(DType.BOOL, 1)).isEqualTo("true");
    assertThat(element(DType.I8, 0xff)).isEqualTo("-1");
    assertThat(element(DType.U8, 0xff)).isEqualTo("255");
    assertThat(element(DType.I16, 0xffff)).isEqualTo("-1");
    assertThat(element(DType.U16, 0xffff)).isEqualTo("65535");
    assertThat(element(DType.I32, 0xffffffffL)).isEqualTo("-1");
    assertThat(element(DType.U32, 0xffffffffL)).isEqualTo("4294967295");
    assertThat(element(DType.I64, -1)).isEqualTo("-1");
    assertThat(element(DType.U64, -1)).isEqualTo("18446744073709551615");
    assertThat(element(DType.F32, Float.floatToIntBits(1.5f))).isEqualTo("1.5");
    assertThat(element(DType.F64, Double.doubleToLongBits(-2.5))).isEqualTo("-2.5");
    assertThat(element(DType.BF16, 0x3fc0)).isEqualTo("1.5");
    assertThat(element(DType.F8_E4M3, 0x3c)).isEqualTo("0x3c");
    assertThat(element(DType.F8_E5M2, 0x3c)).isEqualTo("0x3c");
  }

  @Test
  void halfPrecisionFollowsIeee754() {
    assertThat(element(DType.F16, 0x3c00)).isEqualTo("1.0");
    assertThat(element(DType.F16, 0xc000)).isEqualTo("-2.0");
    assertThat(element(DType.F16, 0x7bff)).isEqualTo("65504.0");
    assertThat(element(DType.F16, 0x0001)).isEqualTo(Float.toString(0x1p-24f));
    assertThat(element(DType.F16, 0x0400)).isEqualTo(Float.toString(0x1p-14f));
    assertThat(element(DType.F16, 0x8000)).isEqualTo("-0.0");
    assertThat(element(DType.F16, 0x7c00)).isEqualTo("Infinity");
    assertThat(element(DType.F16, 0x7e00)).isEqualTo("NaN");
  }
}
