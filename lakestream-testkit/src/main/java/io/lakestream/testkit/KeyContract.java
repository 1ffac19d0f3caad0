// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import static io.lakestream.testkit.StoreUnderTest.bytes;
import static io.lakestream.testkit.StoreUnderTest.keys;
import static io.lakestream.testkit.StoreUnderTest.mustCreate;
import static io.lakestream.testkit.StoreUnderTest.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.store.Body;
import io.lakestream.store.Keys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a key may be, and that each is told from every other. */
interface KeyContract extends StoreUnderTest {

  @Test
  default void aKeyMayHoldAnyPrintableAscii() throws IOException {
    List<String> odd = new ArrayList<>();
    for (char c = ' '; c <= '~'; c++) {
      if (c != '/') {
        odd.add("odd/x" + c + "y");
        odd.add("odd/" + c + "/" + c + c + c);
      }
    }
    odd.remove("odd/./...");
    odd.addAll(List.of("odd/%41", "odd/%2F", "odd/a+b", "odd/a b", "odd/...", "odd/..a"));
    odd.addAll(List.of("odd/_hint", "odd/key=value", "odd/.hidden", "odd/a&b=c?d#e", "odd/\\\\"));
    assertAllDistinct(odd);
  }

  @Test
  default void keysMayBeDeepAndLong() throws IOException {
    String deep = "d/".repeat(100) + "k";
    String longPart = "n".repeat(Keys.MAX_PART_LENGTH);
    String longest =
        ("m".repeat(Keys.MAX_PART_LENGTH) + "/")
            .repeat(Keys.MAX_LENGTH / (Keys.MAX_PART_LENGTH + 1));
    assertAllDistinct(
        List.of(deep, deep + "2", "d/".repeat(101) + "k", longPart, longest.replaceAll("/$", "")));
  }

  @Test
  default void upperAndLowerCaseAreDifferentKeys() throws IOException {
    assertAllDistinct(List.of("case/key", "case/Key", "case/KEY", "Case/key"));
  }

  @Test
  default void whatIsNoKeyIsRefusedByItsName() {
    List<String> bad =
        List.of(
            "", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/.", "a\nb", "a\0b",
            "\u00e9");
    for (String key : bad) {
      assertRefused(() -> store().putIfAbsent(key, Body.of()));
      assertRefused(() -> store().put(key, Body.of()));
      assertRefused(() -> store().read(key));
      assertRefused(() -> store().read(key, 0, 1));
      assertRefused(() -> store().readSuffix(key, 1));
      assertRefused(() -> store().size(key));
      assertRefused(() -> store().delete(List.of("good", key)));
    }
    for (String prefix : List.of("a", "/", "a//", "../", "a/../", "a/b")) {
      assertRefused(() -> store().list(prefix, Optional.empty()));
    }
  }

  @Test
  default void aBadKeyAmongThoseToDeleteDeletesNone() throws IOException {
    mustCreate(store(), "a/k", bytes(1, 1));
    assertRefused(() -> store().delete(List.of("a/k", "a//k")));
    assertThat(store().read("a/k")).isPresent();
  }

  private void assertAllDistinct(List<String> keys) throws IOException {
    for (int i = 0; i < keys.size(); i++) {
      mustCreate(store(), keys.get(i), bytes(i, 20));
    }
    for (int i = 0; i < keys.size(); i++) {
      assertThat(read(store(), keys.get(i))).as(keys.get(i)).contains(bytes(i, 20));
    }
    assertThat(keys(store(), "")).containsExactlyInAnyOrderElementsOf(keys);
    assertThat(store().delete(keys)).isEmpty();
    assertThat(keys(store(), "")).isEmpty();
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bad key '");
  }
}
