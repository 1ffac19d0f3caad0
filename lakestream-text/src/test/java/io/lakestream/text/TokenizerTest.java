// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import static io.lakestream.text.Inputs.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.knuddels.jtokkit.api.Encoding;
import io.lakestream.model.InvalidRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenizerTest {
  private static final String TEXT = "Grüße <|endoftext|> 世界 😀\n\tif (a<b) {}\r\n  x";
  private static final Pattern WORDS = Pattern.compile(" ?\\p{L}+|\\s+|[^\\s\\p{L}]+");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"r50k_base", "p50k_base", "p50k_edit", "cl100k_base", "o200k_base"})
  void textComesBackAndSpecialTokensInsideItAreText(String name) {
    Tokenizer tokenizer = Tokenizer.named(name);
    assertThat(tokenizer.name()).isEqualTo(name);
    int[] tokens = tokenizer.encode(TEXT);
    assertThat(tokens).doesNotContain(tokenizer.endOfText());
    assertThat(tokenizer.decode(tokens)).isEqualTo(TEXT);
    assertThat(tokenizer.decode(new int[] {tokenizer.endOfText()})).isEqualTo("<|endoftext|>");
    assertThat(tokenizer.decode(tokenizer.encodeDocument(TEXT))).isEqualTo(TEXT + "<|endoftext|>");
  }

  @Test
  void idsAreThoseThatOpenAiPublishes() {
    assertThat(Tokenizer.named("r50k_base").encode("hello world")).containsExactly(31373, 995);
    assertThat(Tokenizer.named("cl100k_base").encode("hello world")).containsExactly(15339, 1917);
    assertThat(Tokenizer.named("o200k_base").encode("hello world")).containsExactly(24912, 2375);
  }

  @Test
  void oneEndlessWordIsNoTrouble() {
    for (String unit : List.of("a", "^", " ", "\n", "中")) {
      String text = unit.repeat(200_000);
      Tokenizer tokenizer = Tokenizer.named("o200k_base");
      assertThat(tokenizer.decode(tokenizer.encode(text))).isEqualTo(text);
    }
  }

  @Test
  void anUnknownNameIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(() -> Tokenizer.named("gpt5"))
        .isInstanceOf(InvalidRequest.class)
        .hasMessage(
            "there is no tokenizer 'gpt5'; choose one of [cl100k_base, o200k_base, p50k_base,"
                + " p50k_edit, r50k_base]");
  }

  @Test
  void aRanksFileIsAVocabulary() {
    Path file = write(folder.resolve("own.tiktoken"), ranks() + line("he", 256) + line("hel", 257));
    Tokenizer tokenizer = Tokenizer.ofRanks(file, WORDS, 300);
    assertThat(tokenizer.name()).isEqualTo("own.tiktoken");
    assertThat(tokenizer.endOfText()).isEqualTo(300);
    assertThat(tokenizer.encode("hello")).containsExactly(257, 'l', 'o');
    assertThat(tokenizer.decode(tokenizer.encode(TEXT))).isEqualTo(TEXT);
    assertThat(tokenizer.decode(new int[] {300})).isEqualTo("<|endoftext|>");
  }

  @Test
  void theFileOfAKnownVocabularyWithItsSplitMakesItsTokens() throws IOException {
    String resource = "/com/knuddels/jtokkit/cl100k_base.tiktoken";
    Path file = folder.resolve("cl100k_base");
    try (InputStream ranks = Encoding.class.getResourceAsStream(resource)) {
      Files.copy(Objects.requireNonNull(ranks), file);
    }
    Tokenizer named = Tokenizer.named("cl100k_base");
    Tokenizer own = Tokenizer.ofRanks(file, Tokenizer.CL100K_SPLIT, named.endOfText());
    List<String> texts =
        List.of(
            TEXT,
            "I'm, WE'LL, it's 12345 x7\n\n\n  \u00a0\u2003y \t\r\n z\u3000",
            "if (a[0] != b) {\n    return -1; // ¿qué? \n}\n\n\n",
            "word ".repeat(20_000) + "a".repeat(20_000) + " ".repeat(20_000) + "\n".repeat(20_000),
            "नमस्ते दुनिया, ١٢٣٤ e\u0301\u0301 👩‍👩‍👧 …");
    for (String text : texts) {
      assertThat(own.encode(text)).as(text).isEqualTo(named.encode(text));
    }
    assertThat(own.name()).as("not the name of another").isEqualTo("cl100k_base.tiktoken");
  }

  @Test
  void whateverMakesOtherTokensMakesAnotherIdentity() {
    Path file = write(folder.resolve("own.tiktoken"), ranks());
    Path other = write(folder.resolve("other/own.tiktoken"), ranks() + line("he", 256));
    String identity = Tokenizer.ofRanks(file, WORDS, 300).identity();
    assertThat(Tokenizer.ofRanks(file, WORDS, 300).identity()).isEqualTo(identity);
    assertThat(
            List.of(
                Tokenizer.ofRanks(other, WORDS, 300).identity(),
                Tokenizer.ofRanks(file, Pattern.compile("x"), 300).identity(),
                Tokenizer.ofRanks(file, WORDS, 301).identity(),
                Tokenizer.named("p50k_base").identity(),
                Tokenizer.named("p50k_edit").identity()))
        .doesNotHaveDuplicates()
        .doesNotContain(identity);
  }

  @Test
  void badRanksAreRefused() {
    assertRefused(InvalidRequest.class, ranks(), 255, "255 cannot be the id of the end of text");
    assertRefused(InvalidRequest.class, ranks(), -1, "-1 cannot be the id of the end of text");
    assertRefused(
        UnusableInput.class, line("a", 0), 300, "has ranks for 1 of the 256 single bytes");
    assertRefused(
        UnusableInput.class,
        ranks() + line("he", 300),
        300,
        "line 257 is not a token in Base64 and its rank");
    assertRefused(
        UnusableInput.class,
        ranks() + "?? 256\n",
        300,
        "line 257 is not a token in Base64 and its rank (its token is not Base64)");
    assertRefused(
        UnusableInput.class,
        ranks() + "aGU= x\n",
        300,
        "line 257 is not a token in Base64 and its rank (its rank is not 256)");
    assertRefused(
        UnusableInput.class,
        ranks() + "aGU=\n",
        300,
        "line 257 is not a token in Base64 and its rank");
    assertRefused(UnusableInput.class, ranks() + line("a", 256), 300, "its token was there before");
    assertThatThrownBy(() -> Tokenizer.ofRanks(folder.resolve("nowhere"), WORDS, 300))
        .isInstanceOf(InvalidRequest.class)
        .hasMessageContaining("there is no ranks file");
  }

  private void assertRefused(Class<?> kind, String ranks, int endOfText, String why) {
    Path file = write(folder.resolve("bad.tiktoken"), ranks);
    assertThatThrownBy(() -> Tokenizer.ofRanks(file, WORDS, endOfText))
        .isInstanceOf(kind)
        .hasMessageContaining(why)
        .hasMessageContaining(file.toString());
  }

  /** The single bytes, each with its value as rank. */
  private static String ranks() {
    StringBuilder ranks = new StringBuilder();
    for (int value = 0; value < 256; value++) {
      ByteArrayOutputStream token = new ByteArrayOutputStream();
      token.write(value);
      ranks.append(line(token.toByteArray(), value));
    }
    return ranks.toString();
  }

  private static String line(String token, int rank) {
    return line(token.getBytes(StandardCharsets.UTF_8), rank);
  }

  private static String line(byte[] token, int rank) {
    return Base64.getEncoder().encodeToString(token) + " " + rank + "\n";
  }
}
