// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.GptBytePairEncodingParams;
import com.knuddels.jtokkit.api.IntArrayList;
import io.lakestream.model.InvalidRequest;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Turns text into token ids by byte pair encoding. What looks like a special token inside a text is
 * text like any other, so no document can forge a boundary. Safe for use by many threads.
 */
public final class Tokenizer {
  /**
   * What cuts a text into pieces for {@code cl100k_base}, and for other vocabularies that were
   * trained with the same pieces, such as that of Llama 3.
   */
  public static final Pattern CL100K_SPLIT =
      Pattern.compile(
          "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++|\\p{N}{1,3}+"
              + "| ?+[^\\s\\p{L}\\p{N}]++[\\r\\n]*+|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+",
          Pattern.UNICODE_CHARACTER_CLASS);

  private static final String END_OF_TEXT = "<|endoftext|>";
  private static final int END_OF_TEXT_50K = 50_256;
  private static final int END_OF_TEXT_CL100K = 100_257;
  private static final int END_OF_TEXT_O200K = 199_999;

  private static final Map<String, Integer> NAMED =
      new TreeMap<>(
          Map.of(
              "r50k_base", END_OF_TEXT_50K,
              "p50k_base", END_OF_TEXT_50K,
              "p50k_edit", END_OF_TEXT_50K,
              "cl100k_base", END_OF_TEXT_CL100K,
              "o200k_base", END_OF_TEXT_O200K));

  /** Encodings take a moment to load and never change, so each is loaded once. */
  private static final EncodingRegistry ENCODINGS = Encodings.newLazyEncodingRegistry();

  private final Encoding encoding;
  private final String identity;
  private final int endOfText;

  private Tokenizer(Encoding encoding, String identity, int endOfText) {
    this.encoding = encoding;
    this.identity = identity;
    this.endOfText = endOfText;
  }

  /**
   * A tokenizer that comes with the product: {@code cl100k_base}, {@code o200k_base}, {@code
   * p50k_base}, {@code p50k_edit} or {@code r50k_base}.
   *
   * @throws InvalidRequest if there is none of this name
   */
  public static Tokenizer named(String name) {
    Integer endOfText = NAMED.get(name);
    if (endOfText == null) {
      throw new InvalidRequest(
          "there is no tokenizer '%s'; choose one of %s".formatted(name, NAMED.keySet()));
    }
    return new Tokenizer(ENCODINGS.getEncoding(name).orElseThrow(), name, endOfText);
  }

  /** Whether {@link #named} knows a name. */
  public static boolean isNamed(String name) {
    return NAMED.containsKey(name);
  }

  /**
   * A tokenizer from a {@code .tiktoken} file: on each line a token's bytes in Base64, a blank, and
   * its rank, which is its id.
   *
   * @param ranks the file
   * @param split what cuts a text into the pieces that are encoded on their own; part of the
   *     vocabulary as much as the file is
   * @param endOfText id of the end-of-text token, which the file does not have
   * @throws InvalidRequest if the file is missing or the id is taken
   * @throws UnusableInput if it is no such file
   */
  public static Tokenizer ofRanks(Path ranks, Pattern split, int endOfText) {
    TiktokenRanks tokens = TiktokenRanks.read(ranks);
    IdentityHashMap<byte[], Integer> ids = tokens.ids();
    if (endOfText < ids.size()) {
      throw new InvalidRequest(
          "%d cannot be the id of the end of text: %s gives ids from 0 to %d to other tokens"
              .formatted(endOfText, ranks, ids.size() - 1));
    }
    String file = String.valueOf(ranks.getFileName());
    // What is made with it must not be taken for tokens of the product's own vocabulary.
    String name = isNamed(file) ? file + ".tiktoken" : file;
    Encoding encoding =
        Encodings.newLazyEncodingRegistry()
            .registerGptBytePairEncoding(
                new GptBytePairEncodingParams(name, split, ids, Map.of(END_OF_TEXT, endOfText)))
            .getEncoding(name)
            .orElseThrow();
    return new Tokenizer(
        encoding, tokens.sha256() + " " + endOfText + " " + split.flags() + " " + split, endOfText);
  }

  /** Name of the vocabulary. */
  public String name() {
    return encoding.getName();
  }

  /** What differs where another vocabulary, way of splitting or end of text makes other tokens. */
  String identity() {
    return identity;
  }

  /** Id of the token that ends a document; no text is encoded to it. */
  public int endOfText() {
    return endOfText;
  }

  /** The ids of a text, without an end-of-text token. */
  public int[] encode(String text) {
    return encoding.encodeOrdinary(text).toArray();
  }

  /** The text of ids, as {@link #encode} or {@link #encodeDocument} gave them. */
  public String decode(int[] tokens) {
    IntArrayList list = new IntArrayList(tokens.length);
    for (int token : tokens) {
      list.add(token);
    }
    return encoding.decode(list);
  }

  /** The ids of a text and the end-of-text token. */
  int[] encodeDocument(String text) {
    IntArrayList tokens = encoding.encodeOrdinary(text);
    tokens.add(endOfText);
    return tokens.toArray();
  }
}
