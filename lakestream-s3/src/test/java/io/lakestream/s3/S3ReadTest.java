// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import static io.lakestream.s3.StubServer.error;
import static io.lakestream.s3.StubServer.part;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.store.ObjectStore;
import io.lakestream.store.TransientStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reads bring exactly what was asked for, or nothing. */
final class S3ReadTest {
  @BeforeAll
  static void setCredentials() {
    S3ProxyServer.setCredentials();
  }

  @Test
  void aBodyThatBreaksOffIsGoneOnWithWhereItBroke() throws IOException {
    try (StubServer server =
            new StubServer(part(10, "abcdef", 100, "ab"), part(12, "cdef", 100, "cdef"));
        ObjectStore store = server.store("")) {
      assertThat(text(store.read("k", 10, 6))).contains("abcdef");
      assertThat(server.requests().get(0).headers())
          .containsEntry("range", "bytes=10-15")
          .doesNotContainKey("if-match");
      assertThat(server.requests().get(1).headers())
          .containsEntry("range", "bytes=12-15")
          .containsEntry("if-match", "\"t\"");
    }
  }

  @Test
  void anObjectReplacedMeanwhileIsNotMixed() throws IOException {
    try (StubServer server =
            new StubServer(part(0, "abcd", 4, "ab"), error(412, "PreconditionFailed"));
        ObjectStore store = server.store("")) {
      assertThatThrownBy(() -> store.read("k", 0, 4))
          .isInstanceOf(TransientStoreException.class)
          .hasMessageContaining("replaced");
    }
  }

  @Test
  void bodiesThatBringNothingAreNotAskedForForEver() throws IOException {
    try (StubServer server = new StubServer(part(0, "abcd", 4, ""));
        ObjectStore store = server.store("")) {
      assertThatThrownBy(() -> store.read("k", 0, 4))
          .isInstanceOf(TransientStoreException.class)
          .hasMessageContaining("broke off after 0 of 4 bytes");
      assertThat(server.requests()).hasSize(3);
    }
  }

  @Test
  void aServerThatIgnoresTheRangeIsNotBelieved() throws IOException {
    String whole = "HTTP/1.1 200 OK\r\nETag: \"t\"\r\nContent-Length: 8\r\n\r\nabcdefgh";
    try (StubServer server = new StubServer(whole);
        ObjectStore store = server.store("")) {
      assertThatThrownBy(() -> store.read("k", 2, 3)).hasMessageContaining("asked for bytes=2-4");
      assertThatThrownBy(() -> store.read("k", 0, 3)).hasMessageContaining("the store sent 8");
      assertThatThrownBy(() -> store.readSuffix("k", 3)).hasMessageContaining("the store sent 8");
      assertThat(text(store.read("k"))).contains("abcdefgh");
    }
  }

  @Test
  void aRangeThatIsShortThoughTheObjectGoesOnIsAnError() throws IOException {
    try (StubServer server = new StubServer(part(0, "ab", 100, "ab"));
        ObjectStore store = server.store("")) {
      assertThatThrownBy(() -> store.read("k", 0, 4)).hasMessageContaining("of 100 in all");
    }
  }

  @Test
  void aRangeBeyondTheEndIsEmpty() throws IOException {
    try (StubServer server = new StubServer(error(416, "InvalidRange"));
        ObjectStore store = server.store("")) {
      assertThat(text(store.read("k", 10, 4))).contains("");
    }
  }

  private static Optional<String> text(Optional<ByteBuffer> bytes) {
    return bytes.map(buffer -> StandardCharsets.UTF_8.decode(buffer).toString());
  }
}
