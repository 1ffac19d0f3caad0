// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.store.Body;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecordingStoreTest {
  private final RecordingStore store = new RecordingStore(new MemoryStore());

  @Test
  void everyCallIsWrittenDownInOrder() throws IOException {
    assertThat(store.putIfAbsent("a/k", Body.of())).isEqualTo(PutOutcome.CREATED);
    store.put("a/l", Body.of());
    assertThat(store.read("a/k")).isPresent();
    assertThat(store.read("a/k", 0, 1)).isPresent();
    assertThat(store.readSuffix("a/k", 1)).isPresent();
    assertThat(store.size("a/k")).isPresent();
    assertThat(store.list("a/", Optional.empty()).entries()).hasSize(2);
    assertThat(store.delete(List.of("a/k", "a/l"))).isEmpty();
    assertThat(store.takeCalls())
        .containsExactly(
            "putIfAbsent a/k",
            "put a/l",
            "read a/k",
            "readRange a/k",
            "readSuffix a/k",
            "size a/k",
            "list a/",
            "delete a/k a/l");
    assertThat(store.takeCalls()).isEmpty();
  }
}
