// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lakestream.model.DType;
import io.lakestream.model.RankBatch;
import io.lakestream.model.TensorSpec;
import io.lakestream.text.PackingSettings;
import io.lakestream.text.Tokenizer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a slice begins.
 *
 * @param step the step
 * @param slice the slice, such as {@code 1,0}
 * @param bytes its length
 * @param tensors its tensors, or the one that was asked for; none for raw content
 * @param text the first bytes or tokens as text, null if they are none
 * @param encoding the vocabulary that made tokens into text, null if none did
 * @param hex the first bytes in hexadecimal, null if the slice has tensors
 */
record SliceText(
    long step,
    String slice,
    long bytes,
    List<Head> tensors,
    @Nullable String text,
    @Nullable String encoding,
    @Nullable String hex) {
  private static final int HEAD_ELEMENTS = 8;
  private static final int HEAD_BYTES = 256;
  private static final int HEAD_TOKENS = 64;

  /**
   * How a tensor begins.
   *
   * @param name its name
   * @param dtype its element type
   * @param shape its dimensions in this slice
   * @param head its first elements
   */
  record Head(String name, String dtype, List<Long> shape, List<String> head) {
    /** Whether these are all of its elements. */
    private boolean isWhole() {
      return shape.stream().reduce(1L, Math::multiplyExact) <= head.size();
    }

    @Override
    public String toString() {
      return "%s %s %s: %s%s"
          .formatted(
              name,
              dtype,
              SchemaText.shape(shape),
              String.join(", ", head),
              isWhole() ? "" : ", ...");
    }

    static Head of(RankBatch.Tensor tensor) {
      DType dtype = tensor.spec().dtype();
      ByteBuffer data = tensor.data();
      List<String> head = new ArrayList<>();
      while (head.size() < HEAD_ELEMENTS && data.remaining() >= dtype.bytes()) {
        head.add(Elements.next(dtype, data));
      }
      return new Head(tensor.spec().name(), dtype.name(), tensor.shape(), head);
    }
  }

  /**
   * Looks at a slice.
   *
   * @param only the one tensor to look at, null for all
   * @param tokenizer the vocabulary of its tokens, if it is known
   */
  static SliceText of(RankBatch batch, @Nullable String only, Optional<Tokenizer> tokenizer) {
    List<RankBatch.Tensor> tensors =
        only != null
            ? List.of(batch.tensor(only))
            : batch.schema().tensors().stream().map(TensorSpec::name).map(batch::tensor).toList();
    boolean isRaw = tensors.isEmpty();
    Optional<String> text =
        isRaw ? text(batch.payload()) : tokenizer.flatMap(t -> text(tensors, t));
    return new SliceText(
        batch.step(),
        batch.cell().d() + "," + batch.cell().c(),
        batch.payload().remaining(),
        tensors.stream().map(Head::of).toList(),
        text.orElse(null),
        isRaw ? null : text.flatMap(t -> tokenizer).map(Tokenizer::name).orElse(null),
        isRaw ? hex(batch.payload()) : null);
  }

  private static Optional<String> text(List<RankBatch.Tensor> tensors, Tokenizer tokenizer) {
    return tensors.stream()
        .filter(tensor -> tensor.spec().name().equals(PackingSettings.TOKENS))
        .filter(tensor -> tensor.spec().dtype() == DType.I32)
        .findFirst()
        .flatMap(tensor -> text(tensor.data(), tokenizer));
  }

  private static Optional<String> text(ByteBuffer data, Tokenizer tokenizer) {
    int[] tokens = new int[Math.min(HEAD_TOKENS, data.remaining() / Integer.BYTES)];
    data.order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(tokens);
    try {
      return Optional.of(tokenizer.decode(tokens));
    } catch (RuntimeException e) {
      // Ids that this vocabulary does not have: another one was asked for than made them.
      return Optional.empty();
    }
  }

  private static Optional<String> text(ByteBuffer payload) {
    ByteBuffer head = payload.slice(payload.position(), Math.min(HEAD_BYTES, payload.remaining()));
    try {
      String text = UTF_8.newDecoder().decode(head).toString();
      boolean isBinary =
          text.codePoints().anyMatch(c -> Character.isISOControl(c) && !Character.isWhitespace(c));
      return isBinary ? Optional.empty() : Optional.of(text);
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static String hex(ByteBuffer payload) {
    byte[] head = new byte[Math.min(HEAD_BYTES, payload.remaining())];
    payload.get(head);
    return HexFormat.of().formatHex(head);
  }

  void print(Console console) {
    console.print("step %d, slice %s, %s".formatted(step, slice, Units.bytes(bytes)));
    tensors.forEach(tensor -> console.print(tensor.toString()));
    if (text != null) {
      console.print(encoding == null ? "text:" : "text in %s:".formatted(encoding));
      text.lines().forEach(line -> console.print("  " + Table.oneLine(line)));
    } else if (hex != null) {
      console.print("bytes: " + hex);
    }
  }
}
