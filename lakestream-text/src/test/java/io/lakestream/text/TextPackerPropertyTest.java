// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import static io.lakestream.text.Inputs.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.model.CpLayout;
import io.lakestream.model.Mesh;
import io.lakestream.model.Tgb;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every input, share and shape. The seed is in the name of each case. */
class TextPackerPropertyTest {
  private static final int RESUMED_BATCHES = 5;
  private static final Tokenizer TOKENIZER = Tokenizer.named("cl100k_base");

  /** All of a batch that can be compared. */
  private record Content(
      String offset, long tokens, long documents, List<Tgb.Slice> slices, ByteBuffer provenance) {
    static Content of(PackedBatch batch) {
      return new Content(
          batch.offset(),
          batch.tokens(),
          batch.documents(),
          batch.tgb().slices(),
          batch.tgb().provenance().orElseThrow());
    }
  }

  @TempDir private Path folder;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void everyTokenIsPackedOnceAndResumingChangesNothing(long seed) {
    Random random = new Random(seed);
    Documents documents = documents(random);
    PackingSettings settings = settings(random);
    int shares = 1 + random.nextInt(3);
    for (int share = 0; share < shares; share++) {
      Documents part = documents.share(share, shares);
      List<PackedBatch> batches = pack(part, settings);
      checkTokens(part, settings, batches);
      checkResume(part, settings, batches);
    }
  }

  private static void checkTokens(
      Documents part, PackingSettings settings, List<PackedBatch> batches) {
    TokenHash read = new TokenHash();
    List<Integer> packed = new ArrayList<>();
    for (PackedBatch batch : batches) {
      Unpacked unpacked = Unpacked.of(batch.tgb(), settings);
      read.addBatch(unpacked.replicas());
      int before = packed.size();
      for (int d = 0; d < settings.mesh().dataParallel(); d++) {
        checkRows(unpacked, d, settings.sequenceLength());
        collect(unpacked.tokens(d), unpacked.rowLengths(d), settings.sequenceLength(), packed);
      }
      assertThat(batch.tokens()).isEqualTo(packed.size() - before);
    }
    assertThat(batches.stream().limit(Math.max(0, batches.size() - 1)))
        .allMatch(batch -> batch.tokens() == settings.batchTokens());
    assertThat(packed).isEqualTo(expected(part));
    TokenHash straight = DocumentHash.of(part, TOKENIZER);
    assertThat(read.hex()).isEqualTo(straight.hex());
    assertThat(read.tokens()).isEqualTo(straight.tokens()).isEqualTo(packed.size());
    assertThat(batches.stream().mapToLong(PackedBatch::documents).sum())
        .isEqualTo(Inputs.read(part).size());
  }

  private static void checkRows(Unpacked unpacked, int d, int sequenceLength) {
    int[] lengths = unpacked.rowLengths(d);
    assertThat(unpacked.boundaries().get(d))
        .containsExactly(boundaries(unpacked.tokens(d), lengths, sequenceLength));
    long full = Arrays.stream(lengths).filter(length -> length > 0).count();
    assertThat(unpacked.rows().get(d).real()).isEqualTo(full);
    assertThat(unpacked.rows().get(d).padding()).isEqualTo(lengths.length - full);
  }

  /**
   * From each batch on a resumed packer goes on as the first one did. A few batches show that: the
   * next of them is where another one was resumed.
   */
  private static void checkResume(
      Documents part, PackingSettings settings, List<PackedBatch> batches) {
    List<Content> straight = batches.stream().map(Content::of).toList();
    for (int i = 0; i < batches.size(); i++) {
      String offset = batches.get(i).offset();
      int end = i == 0 ? straight.size() : Math.min(straight.size(), i + 1 + RESUMED_BATCHES);
      try (TextPacker packer = TextPacker.resume(part, TOKENIZER, settings, offset)) {
        for (Content expected : straight.subList(i + 1, end)) {
          assertThat(Content.of(packer.next())).as("resumed at %s", offset).isEqualTo(expected);
        }
        assertThat(packer.hasNext()).as("resumed at %s", offset).isEqualTo(end < straight.size());
      }
    }
  }

  private static List<PackedBatch> pack(Documents part, PackingSettings settings) {
    List<PackedBatch> batches = new ArrayList<>();
    try (TextPacker packer = TextPacker.open(part, TOKENIZER, settings)) {
      packer.forEachRemaining(batches::add);
    }
    return batches;
  }

  private static List<Integer> expected(Documents part) {
    List<Integer> tokens = new ArrayList<>();
    try (DocumentCursor cursor = part.open()) {
      for (Document document : Inputs.drain(cursor)) {
        Arrays.stream(TOKENIZER.encode(document.text())).forEach(tokens::add);
        tokens.add(TOKENIZER.endOfText());
      }
    }
    return tokens;
  }

  private static void collect(
      int[] tokens, int[] lengths, int sequenceLength, List<Integer> target) {
    for (int row = 0; row < lengths.length; row++) {
      int start = row * sequenceLength;
      Arrays.stream(tokens, start, start + lengths[row]).forEach(target::add);
    }
  }

  /** From the definition: row starts, places after an end of text, starts of padding, the end. */
  private static int[] boundaries(int[] tokens, int[] lengths, int sequenceLength) {
    return IntStream.rangeClosed(0, tokens.length)
        .filter(
            place -> {
              int column = place % sequenceLength;
              int length = column == 0 ? 0 : lengths[place / sequenceLength];
              return column == 0
                  || column == length
                  || (column < length && tokens[place - 1] == TOKENIZER.endOfText());
            })
        .toArray();
  }

  private static PackingSettings settings(Random random) {
    CpLayout layout = random.nextBoolean() ? CpLayout.ZIGZAG : CpLayout.CONTIGUOUS;
    Mesh mesh = new Mesh(1 + random.nextInt(3), 1 + random.nextInt(4));
    int blocksPerRank = 2 * (1 + random.nextInt(2));
    int length = mesh.contextParallel() * blocksPerRank * (1 + random.nextInt(8));
    return new PackingSettings(mesh, layout, length, 1 + random.nextInt(3), blocksPerRank);
  }

  private Documents documents(Random random) {
    write(folder.resolve("always"), text(random, 1 + random.nextInt(100)));
    int files = random.nextInt(12);
    for (int i = 0; i < files; i++) {
      Path file = folder.resolve("d" + random.nextInt(3)).resolve("f" + i);
      switch (random.nextInt(6)) {
        case 0 -> write(file, "");
        case 1 -> write(file, "\0binary");
        case 2 -> write(file.resolveSibling("f" + i + ".jsonl"), lines(random));
        case 3 -> write(file, text(random, 2000));
        default -> write(file, text(random, 1 + random.nextInt(60)));
      }
    }
    return Documents.of(folder);
  }

  private static String lines(Random random) {
    StringBuilder lines = new StringBuilder();
    int count = 1 + random.nextInt(8);
    for (int i = 0; i < count; i++) {
      String text = random.nextInt(4) == 0 ? "" : text(random, random.nextInt(40));
      lines.append("{\"text\":\"").append(text.replace("\n", "\\n")).append("\"}\n");
    }
    return lines.toString();
  }

  private static String text(Random random, int words) {
    List<String> vocabulary =
        List.of("the", " of", "\n", "中文", " <|endoftext|>", "é", " 1234", "{}");
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append(vocabulary.get(random.nextInt(vocabulary.size())));
    }
    return text.toString();
  }
}
