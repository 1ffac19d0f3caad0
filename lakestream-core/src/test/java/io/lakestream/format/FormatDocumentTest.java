// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lakestream.model.Cell;
import io.lakestream.model.CpLayout;
import io.lakestream.model.SequenceCut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/format.md} is right: its examples are golden, and a reader made from it reads. */
class FormatDocumentTest {
  private static final Path DOCUMENT = Path.of("../docs/format.md");
  private static final Path READER = Path.of("src/test/python/read_golden.py");
  private static final Pattern GOLDEN = Pattern.compile("<!-- golden: (.+) -->");
  private static final Pattern HEX_LINE =
      Pattern.compile("([0-9a-f]{4})  ((?:[0-9a-f]{2} )*[0-9a-f]{2})(?:  .*)?");

  /** The hex dumps of the document by the golden file that each says it is. */
  private static Map<String, byte[]> dumps() throws IOException {
    Map<String, byte[]> dumps = new TreeMap<>();
    String file = "";
    StringBuilder hex = new StringBuilder();
    for (String line : Files.readAllLines(DOCUMENT)) {
      Matcher golden = GOLDEN.matcher(line);
      Matcher bytes = HEX_LINE.matcher(line);
      if (golden.matches()) {
        file = golden.group(1);
        hex.setLength(0);
      } else if (bytes.matches()) {
        assertThat(hex.length() / 2).as(line).isEqualTo(Integer.parseInt(bytes.group(1), 16));
        hex.append(bytes.group(2).replace(" ", ""));
        dumps.put(file, HexFormat.of().parseHex(hex));
      }
    }
    return dumps;
  }

  @Test
  void theExamplesAreGoldenFiles() throws IOException {
    Map<String, byte[]> checkedIn = GoldenFiles.checkedIn();
    Map<String, byte[]> dumps = dumps();
    assertThat(dumps).hasSize(2);
    dumps.forEach((file, bytes) -> assertThat(bytes).as(file).isEqualTo(checkedIn.get(file)));
  }

  @Test
  void theLimitsAreThoseOfTheCode() throws IOException {
    String text = Files.readString(DOCUMENT).replace(" ", "");
    assertThat(text)
        .contains("|manifest|%dKiB|".formatted(FormatLimits.MANIFEST_BYTES_MAX / 1024))
        .contains(
            "|directoryandheaderofamanifest|%dbytes|".formatted(PartialManifest.START_BYTES_MIN))
        .contains("|tail|%dsteps,48KiB|".formatted(FormatLimits.TAIL_STEPS_MAX))
        .contains(
            "|chunk;segment|%d;%dsteps|"
                .formatted(FormatLimits.CHUNK_STEPS, FormatLimits.SEGMENT_STEPS))
        .contains("|childrenofanode;levels|%d;12|".formatted(FormatLimits.FAN_OUT));
    assertThat(FormatLimits.TAIL_BYTES_MAX).isEqualTo(48 * 1024);
    assertThat(FormatLimits.SLICE_BYTES_MAX).isEqualTo((1L << 31) - 9);
  }

  @Test
  void aReaderMadeFromTheDocumentReadsTheGoldenStream() throws Exception {
    assumeTrue(isThere("python3"), "python3 is not installed, so its reader is not run");
    List<String> command = new ArrayList<>(List.of("python3", READER.toString()));
    command.add(GoldenFiles.FOLDER.resolve("stream").toString());
    for (String object :
        List.of("archive", "manifest-tree", "manifest-newer-minor", "segment", "node-after-trim")) {
      command.add(GoldenFiles.FOLDER.resolve("object").resolve(object).toString());
    }
    List<String> expected = new ArrayList<>();
    for (int step = 0; step < 5; step++) {
      for (int i = 0; i < 4; i++) {
        expected.addAll(slice(step, GoldenStream.MESH.cell(i)));
      }
    }
    expected.add("sealed at step 5");
    expected.addAll(objects());
    assertThat(run(command).lines().toList()).isEqualTo(expected);
  }

  private static List<String> slice(int step, Cell cell) {
    String place = step + " " + cell + " ";
    if (step != 1) {
      return List.of(place + UTF_8.decode(GoldenStream.payload(step, cell.d(), cell.c())));
    }
    List<Integer> tokens = new ArrayList<>();
    List<Integer> mask = new ArrayList<>();
    SequenceCut cut = new SequenceCut(CpLayout.ZIGZAG, 2, 2);
    for (int row = 0; row < 2; row++) {
      for (int block : cut.blocksOf(cell.c())) {
        for (int position = 4 * block; position < 4 * block + 4; position++) {
          tokens.add(1_000 * cell.d() + 100 * row + position);
          mask.addAll(List.of(position, 16 * cell.d() + row));
        }
      }
    }
    return List.of(
        place + "tokens 2x8 " + spaced(tokens),
        place + "mask 2x8x2 " + spaced(mask),
        place + "label 2 " + spaced(List.of(-1L - cell.d(), 1L << 40)),
        place + "temperature scalar 0.5");
  }

  private static String spaced(List<?> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  private static List<String> objects() {
    SegmentTree tree = GoldenObjects.tree().tree();
    String spots =
        List.of(1_000L, 4_095L, 4_096L).stream()
            .map(step -> tree.locate(step).orElseThrow().key().substring("segment/".length()))
            .collect(Collectors.joining(", "));
    Id128 segment = Id128.hashOf(GoldenObjects.segment().encode(Samples.NAMESPACE));
    Id128 node = Id128.hashOf(GoldenObjects.nodeAfterTrim().encode(Samples.NAMESPACE));
    return List.of(
        "archive producers a, b, Ä b",
        "manifest-tree version 1000, 130 steps in its tail, " + spots,
        "manifest-newer-minor version 1, 3 steps in its tail",
        "segment " + Names.segment(256, 383, segment),
        "node-after-trim " + Names.segment(12_288, 16_383, node) + ", 2 children");
  }

  private static boolean isThere(String program) throws InterruptedException {
    try {
      return new ProcessBuilder(program, "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static String run(List<String> command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PYTHONIOENCODING", "utf-8");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }
}
