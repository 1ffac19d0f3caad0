// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProvenanceTest {
  private static final String ENCODING = "encoding own?vocabulary\n";

  @Test
  void aDocumentIsOneLineHoweverManyRowsItFills() {
    Provenance provenance = new Provenance("own\tvocabulary");
    Document a = new Document(0, "a:b", "x");
    provenance.add(a, 5, 10);
    provenance.add(a, 15, 10);
    provenance.add(new Document(2, "c\nd", "x"), 0, 1);
    assertThat(text(provenance)).isEqualTo(ENCODING + "a:b:5-25\nc?d:0-1\n");
  }

  @Test
  void nothingIsNothing() {
    assertThat(text(new Provenance("own\tvocabulary"))).isEqualTo(ENCODING);
  }

  @Test
  void whatDoesNotFitIsLeftOutAndSaidSo() {
    for (int length = 1; length < 200; length += 7) {
      Provenance provenance = new Provenance("own\tvocabulary");
      String name = "é".repeat(length);
      for (int i = 0; i < 20_000; i++) {
        provenance.add(new Document(i, name, "x"), 0, 1);
      }
      String text = text(provenance);
      int bytes = text.getBytes(StandardCharsets.UTF_8).length;
      assertThat(text).endsWith("\n…\n").startsWith(ENCODING + name + ":0-1\n");
      assertThat(bytes).isBetween(65_536 - 2 * length - 10, 65_536);
    }
  }

  @Test
  void theVocabularyIsFoundAgain() {
    assertThat(Provenance.encoding(new Provenance("r50k_base").finish())).contains("r50k_base");
    ByteBuffer other = ByteBuffer.wrap("a:0-1\n".getBytes(StandardCharsets.UTF_8));
    assertThat(Provenance.encoding(other)).isEmpty();
    assertThat(Provenance.encoding(ByteBuffer.allocate(0))).isEmpty();
  }

  private static String text(Provenance provenance) {
    return StandardCharsets.UTF_8.decode(provenance.finish()).toString();
  }
}
