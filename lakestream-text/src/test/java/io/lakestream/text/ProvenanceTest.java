// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProvenanceTest {
  @Test
  void aDocumentIsOneLineHoweverManyRowsItFills() {
    Provenance provenance = new Provenance();
    Document a = new Document(0, "a:b", "x");
    provenance.add(a, 5, 10);
    provenance.add(a, 15, 10);
    provenance.add(new Document(2, "c\nd", "x"), 0, 1);
    assertThat(text(provenance)).isEqualTo("a:b:5-25\nc?d:0-1\n");
  }

  @Test
  void nothingIsNothing() {
    assertThat(text(new Provenance())).isEmpty();
  }

  @Test
  void whatDoesNotFitIsLeftOutAndSaidSo() {
    for (int length = 1; length < 200; length += 7) {
      Provenance provenance = new Provenance();
      String name = "é".repeat(length);
      for (int i = 0; i < 20_000; i++) {
        provenance.add(new Document(i, name, "x"), 0, 1);
      }
      String text = text(provenance);
      int bytes = text.getBytes(StandardCharsets.UTF_8).length;
      assertThat(text).endsWith("\n…\n").startsWith(name + ":0-1\n");
      assertThat(bytes).isBetween(65_536 - 2 * length - 10, 65_536);
    }
  }

  private static String text(Provenance provenance) {
    return StandardCharsets.UTF_8.decode(provenance.finish()).toString();
  }
}
