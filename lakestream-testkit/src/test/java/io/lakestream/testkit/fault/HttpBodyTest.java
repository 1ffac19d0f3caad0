// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class HttpBodyTest {

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(ISO_8859_1));
  }

  private static HttpHead head(String text) throws IOException {
    return HttpHead.read(stream(text.replace("\n", "\r\n") + "\r\n\r\n")).orElseThrow();
  }

  /** What is passed on, a bar, and what is left. */
  private static String relayed(HttpBody body, String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    InputStream in = stream(text);
    body.relay(in, out);
    return out.toString(ISO_8859_1) + "|" + new String(in.readAllBytes(), ISO_8859_1);
  }

  private static String halfOf(HttpBody body, String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    body.relayHalf(stream(text), out);
    return out.toString(ISO_8859_1);
  }

  @Test
  void aHeadIsKeptByteForByte() throws IOException {
    String text = "PUT /a?b=c HTTP/1.1\r\nhOst:  H \r\nExpect: 100-Continue\r\n\r\n";
    HttpHead head = HttpHead.read(stream(text + "body")).orElseThrow();
    assertThat(head.bytes()).asString(ISO_8859_1).isEqualTo(text);
    assertThat(head.method()).isEqualTo("PUT");
    assertThat(head.target()).isEqualTo("/a?b=c");
    assertThat(head.header("Host")).contains("h");
    assertThat(head.has("expect", "100-continue")).isTrue();
    assertThat(head.isLast()).isFalse();
    assertThat(HttpHead.read(stream(""))).isEmpty();
    assertThatThrownBy(() -> HttpHead.read(stream("GET / HTTP/1.1\r\nHo")))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> HttpHead.read(stream("a\r\nb: " + "c".repeat(1 << 20))))
        .hasMessageContaining("more than");
  }

  @Test
  void aBodyOfKnownLengthEndsThere() throws IOException {
    HttpBody body = HttpBody.ofRequest(head("PUT / HTTP/1.1\nContent-Length: 4"));
    assertThat(relayed(body, "abcdef")).isEqualTo("abcd|ef");
    assertThat(halfOf(body, "abcdef")).isEqualTo("ab");
    assertThatThrownBy(() -> relayed(body, "abc")).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> HttpBody.ofRequest(head("PUT / HTTP/1.1\nContent-Length: x")))
        .hasMessageContaining("content-length");
  }

  @Test
  void chunksEndBehindTheirTrailers() throws IOException {
    HttpBody body = HttpBody.ofRequest(head("PUT / HTTP/1.1\nTransfer-Encoding: chunked"));
    String chunks = "a;x=y\r\n0123456789\r\n1\r\nz\r\n0\r\nTrailer: t\r\n\r\n";
    assertThat(relayed(body, chunks + "GET")).isEqualTo(chunks + "|GET");
    assertThat(halfOf(body, chunks)).isEqualTo("a;x=y\r\n01234");
    assertThatThrownBy(() -> relayed(body, "xyz\r\n")).hasMessageContaining("xyz");
    assertThatThrownBy(() -> relayed(body, "4\r\nab")).isInstanceOf(EOFException.class);
  }

  @Test
  void aReplyWithoutLengthEndsWithItsConnection() throws IOException {
    HttpBody body = HttpBody.ofReply(head("HTTP/1.1 200 OK"), "GET");
    assertThat(relayed(body, "abc")).isEqualTo("abc|");
    assertThat(halfOf(body, "abcd")).isEqualTo("ab");
    assertThat(body.isEmpty()).isFalse();
  }

  @Test
  void someRepliesHaveNoBodyWhateverTheirHeadSays() throws IOException {
    String length = "\nContent-Length: 7";
    assertThat(HttpBody.ofReply(head("HTTP/1.1 200 OK" + length), "HEAD").isEmpty()).isTrue();
    assertThat(HttpBody.ofReply(head("HTTP/1.1 204 None"), "GET").isEmpty()).isTrue();
    assertThat(HttpBody.ofReply(head("HTTP/1.1 304 Same" + length), "GET").isEmpty()).isTrue();
    assertThat(HttpBody.ofReply(head("HTTP/1.1 200 OK" + length), "GET").length()).isEqualTo(7);
    assertThat(HttpBody.ofRequest(head("GET / HTTP/1.1")).isEmpty()).isTrue();
    assertThatThrownBy(() -> HttpBody.ofReply(head("HTTP/1.1 abc"), "GET"))
        .hasMessageContaining("HTTP/1.1 abc");
  }
}
