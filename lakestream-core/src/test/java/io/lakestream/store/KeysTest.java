// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class KeysTest {
  @Test
  void keysAreRelativePathsOfPrintableAscii() {
    List<String> good =
        List.of(
            "a",
            "a/b",
            ".a/..b/c.",
            "...",
            " !\"#$%&'()*+,-.0:;<=>?@A[\\]^_`a{|}~",
            "a".repeat(Keys.MAX_PART_LENGTH),
            "a/".repeat(Keys.MAX_LENGTH / 2 - 1) + "bc");
    for (String key : good) {
      assertThat(Keys.requireKey(key)).isEqualTo(key);
      if (key.length() < Keys.MAX_LENGTH) {
        assertThat(Keys.requirePrefix(key + "/")).isEqualTo(key + "/");
      }
    }
    assertThat(Keys.requirePrefix("")).isEmpty();
  }

  @Test
  void everythingElseIsRefusedByItsName() {
    refused("", "empty parts");
    refused("/a", "empty parts");
    refused("a/", "empty parts");
    refused("a//b", "empty parts");
    refused(".", "'.' or '..'");
    refused("a/../b", "'.' or '..'");
    refused("a/.", "'.' or '..'");
    refused("a\tb", "printable ASCII");
    refused("a\u007f", "printable ASCII");
    refused("caf\u00e9", "printable ASCII");
    refused("a".repeat(Keys.MAX_PART_LENGTH + 1), "a part is longer");
    refused("a/".repeat(Keys.MAX_LENGTH / 2) + "b", "longer than 768");
  }

  @Test
  void theMessageShowsWhatCannotBePrinted() {
    assertThatThrownBy(() -> Keys.requireKey("a\nb")).hasMessageContaining("'a\\u000ab'");
  }

  @Test
  void aPrefixEndsInASlash() {
    for (String prefix : List.of("a", "/", "a//", "../", "a/../")) {
      assertThatThrownBy(() -> Keys.requirePrefix(prefix))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + prefix + "'");
    }
  }

  @Test
  void theFirstPartIsWhatStandsBeforeTheFirstSlash() {
    assertThat(Keys.firstPart("a/b/c")).isEqualTo("a");
    assertThat(Keys.firstPart("a")).isEqualTo("a");
    assertThat(Keys.firstPart("")).isEmpty();
  }

  private static void refused(String key, String rule) {
    assertThatThrownBy(() -> Keys.requireKey(key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(rule);
  }
}
