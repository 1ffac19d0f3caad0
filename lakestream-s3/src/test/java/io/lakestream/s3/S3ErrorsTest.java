// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import static io.lakestream.s3.StubServer.error;
import static io.lakestream.s3.StubServer.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.store.Stores;
import io.lakestream.store.TransientStoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the answers of servers are taken for. */
final class S3ErrorsTest {
  private static final Body BODY = Body.of(new byte[] {1, 2, 3});

  @BeforeAll
  static void setCredentials() {
    S3ProxyServer.setCredentials();
  }

  @ParameterizedTest
  @CsvSource({
    "412, PreconditionFailed",
    "400, PreconditionFailed", // Whatever the status: AWS SDK for Java issue 6023.
    "409, FileAlreadyExists", // Alibaba's.
    "409, ObjectAlreadyExists",
  })
  void anObjectThatIsThereOccupiesItsKey(int status, String code) throws IOException {
    assertThat(create(error(status, code))).isEqualTo(PutOutcome.OCCUPIED);
  }

  @ParameterizedTest
  @ValueSource(ints = {304, 412})
  void aStatusAloneSaysThatItIsThere(int status) throws IOException {
    assertThat(create(status(status))).isEqualTo(PutOutcome.OCCUPIED);
  }

  @ParameterizedTest
  @CsvSource({"500, InternalError", "502, ''", "503, ''", "504, ''", "500, ''"})
  void aServersOwnTroubleDecidesNothing(int status, String code) throws IOException {
    assertThat(create(code.isEmpty() ? status(status) : error(status, code)))
        .isEqualTo(PutOutcome.UNKNOWN);
  }

  @Test
  void aLostReplyDecidesNothing() throws IOException {
    assertThat(create("")).isEqualTo(PutOutcome.UNKNOWN);
    assertThat(create("HTTP/1.1 200 OK\r\nContent-Le")).isEqualTo(PutOutcome.UNKNOWN);
  }

  @Test
  void aConditionalPutIsSentOnce() throws IOException {
    try (StubServer server = new StubServer("", status(200));
        ObjectStore store = server.store("")) {
      assertThat(store.putIfAbsent("k", BODY)).isEqualTo(PutOutcome.UNKNOWN);
      assertThat(server.requests()).hasSize(1);
      assertThat(server.requests().get(0).headers()).containsEntry("if-none-match", "*");
      assertThat(server.requests().get(0).body()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "503, SlowDown",
    "503, ServiceUnavailable",
    "429, TooManyRequests",
    "429, ''",
    "400, ExpiredToken",
    "409, ConditionalRequestConflict",
    "409, OperationAborted",
  })
  void whatWasRefusedForNowMayBeTriedAgain(int status, String code) {
    String answer = code.isEmpty() ? status(status) : error(status, code);
    assertThatThrownBy(() -> create(answer))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("putIfAbsent of 'k' in bucket 'bucket'")
        .hasMessageContaining(String.valueOf(status));
  }

  @ParameterizedTest
  @CsvSource({
    "403, AccessDenied, policy",
    "403, InvalidAccessKeyId, correct the credentials",
    "403, SignatureDoesNotMatch, correct the credentials",
    "403, RequestTimeTooSkewed, clock",
    "404, NoSuchBucket, create the bucket",
    "301, PermanentRedirect, region",
    "400, AuthorizationHeaderMalformed, region",
    "400, EntityTooLarge, larger than the store takes",
    "501, NotImplemented, use another",
  })
  void whatIsRefusedForGoodIsSaidWithARemedy(int status, String code, String remedy) {
    assertThatThrownBy(() -> create(error(status, code)))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(TransientStoreException.class)
        .hasMessageContaining("putIfAbsent of 'k' in bucket 'bucket'")
        .hasMessageContaining(code)
        .hasMessageContaining(remedy);
  }

  @Test
  void aMissingObjectIsNoError() throws IOException {
    try (StubServer server = new StubServer(error(404, "NoSuchKey"));
        ObjectStore store = server.store("")) {
      assertThat(store.read("k")).isEmpty();
      assertThat(store.read("k", 1, 1)).isEmpty();
      assertThat(store.readSuffix("k", 1)).isEmpty();
    }
    try (StubServer server = new StubServer(status(404));
        ObjectStore store = server.store("")) {
      assertThat(store.size("k")).isEmpty();
    }
  }

  @Test
  void aMissingBucketIsAnErrorOfEveryCall() throws IOException {
    try (StubServer server = new StubServer(error(404, "NoSuchBucket"));
        ObjectStore store = server.store("")) {
      assertThatThrownBy(() -> store.read("k")).hasMessageContaining("create the bucket");
      assertThatThrownBy(() -> store.put("k", BODY)).hasMessageContaining("create the bucket");
      assertThatThrownBy(() -> store.delete(List.of("k")))
          .hasMessageContaining("create the bucket");
      assertThatThrownBy(() -> store.list("", Optional.empty()))
          .hasMessageContaining("create the bucket");
    }
  }

  @Test
  void whereNobodyListensNothingWasDone() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    try (ObjectStore store = Stores.open("s3://bucket/p?endpoint=http://127.0.0.1:" + port)) {
      assertThatThrownBy(() -> store.putIfAbsent("k", BODY))
          .isInstanceOf(TransientStoreException.class)
          .hasMessageContaining("onnect");
    }
  }

  @Test
  void secretsAreInNoMessage() throws IOException {
    try (StubServer server = new StubServer(error(403, "SignatureDoesNotMatch"));
        ObjectStore store = server.store("")) {
      assertThatThrownBy(() -> store.read("k"))
          .hasMessageNotContaining(S3ProxyServer.CREDENTIAL)
          .hasMessageNotContaining("AWS4-HMAC");
    }
  }

  private static PutOutcome create(String answer) throws IOException {
    try (StubServer server = new StubServer(answer);
        ObjectStore store = server.store("")) {
      return store.putIfAbsent("k", BODY);
    }
  }
}
