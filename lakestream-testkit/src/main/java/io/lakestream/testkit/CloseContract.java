// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import static io.lakestream.testkit.StoreUnderTest.bytes;
import static io.lakestream.testkit.StoreUnderTest.mustCreate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A closed store does nothing any more, and says so; other stores of the place go on. */
interface CloseContract extends StoreUnderTest {

  @Test
  default void callsAfterCloseFail() throws IOException {
    ObjectStore closed = open();
    mustCreate(closed, "a/k", bytes(1, 10));
    closed.close();
    assertFails(() -> closed.putIfAbsent("a/l", Body.of()), "a/l");
    assertFails(() -> closed.put("a/l", Body.of()), "a/l");
    assertFails(() -> closed.read("a/k"), "a/k");
    assertFails(() -> closed.read("a/k", 0, 1), "a/k");
    assertFails(() -> closed.readSuffix("a/k", 1), "a/k");
    assertFails(() -> closed.size("a/k"), "a/k");
    assertFails(() -> closed.list("a/", Optional.empty()), "a/");
    assertFails(() -> closed.delete(List.of("a/k")), "a/k");
    assertThat(StoreUnderTest.keys(store(), "")).containsExactly("a/k");
  }

  @Test
  default void closingTwiceIsClosingOnce() throws IOException {
    ObjectStore closed = open();
    closed.close();
    closed.close();
    mustCreate(store(), "a/k", bytes(1, 10));
  }

  private static void assertFails(ThrowingCallable call, String key) {
    assertThatThrownBy(call)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'" + key + "'")
        .hasMessageContaining("closed");
  }
}
