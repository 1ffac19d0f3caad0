// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lakestream.runtime.Clock;
import io.lakestream.runtime.Environment;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class FaultyProxyTest {
  private static final byte[] BYTES = bytes(200_000);

  /** Requests whose body the server read to its end. */
  private final List<String> served = Collections.synchronizedList(new ArrayList<>());

  private final List<Integer> serverPorts = Collections.synchronizedList(new ArrayList<>());
  private final List<String> sleeps = Collections.synchronizedList(new ArrayList<>());

  /** Connections that a scripted server closed. */
  private final Semaphore closings = new Semaphore(0);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;
  private FaultyProxy proxy;

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(1).nextBytes(bytes);
    return bytes;
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
    proxy = proxy(server.getAddress(), Refusal.S3);
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    server.stop(0);
    threads.shutdownNow();
  }

  private FaultyProxy proxy(InetSocketAddress address, Refusal refusal) throws IOException {
    Environment system = Environment.system();
    return FaultyProxy.start(
        address, refusal, 7, new Environment(new NotedClock(), system.entropy(), system.tasks()));
  }

  /** Notes who had been served when somebody slept, and does not sleep. */
  private final class NotedClock implements Clock {
    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public long epochMillis() {
      return 0;
    }

    @Override
    public void sleep(long nanos) {
      sleeps.add(TimeUnit.NANOSECONDS.toMillis(nanos) + " ms, served " + served.size());
    }
  }

  /** Says what it was sent; a target that ends in "chunks" is answered in chunks. */
  private void serve(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    serverPorts.add(exchange.getRemoteAddress().getPort());
    String target = exchange.getRequestURI().getPath();
    served.add(exchange.getRequestMethod() + " " + target + " " + body.length);
    exchange.getResponseHeaders().add("X-Host", exchange.getRequestHeaders().getFirst("Host"));
    byte[] reply = body.length == 0 ? BYTES : body;
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().add("Content-Length", Integer.toString(reply.length));
      exchange.sendResponseHeaders(200, -1);
    } else {
      exchange.sendResponseHeaders(200, target.endsWith("chunks") ? 0 : reply.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(reply);
      }
    }
    exchange.close();
  }

  private static HttpClient client() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  private HttpRequest.Builder request(String target) {
    return HttpRequest.newBuilder(proxy.uri().resolve(target));
  }

  private static HttpResponse<byte[]> send(HttpRequest request) throws Exception {
    return client().send(request, BodyHandlers.ofByteArray());
  }

  private HttpResponse<byte[]> put(String target) throws Exception {
    return send(request(target).PUT(BodyPublishers.ofByteArray(BYTES)).build());
  }

  private HttpResponse<byte[]> get(String target) throws Exception {
    return send(request(target).build());
  }

  /** Everything that comes back on a connection until it ends. */
  private String raw(String sent) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.uri().getPort())) {
      socket.getOutputStream().write(sent.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  @Test
  void bodiesOfKnownLengthPassBothWaysAndTheHostIsTheOneThatTheClientNamed() throws Exception {
    HttpResponse<byte[]> response = put("/a/k?x=1");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo(BYTES);
    assertThat(response.headers().firstValue("X-Host"))
        .contains("127.0.0.1:" + proxy.uri().getPort());
    assertThat(served).containsExactly("PUT /a/k 200000");
    assertThat(proxy.requests()).isEqualTo(1);
    assertThat(proxy.seed()).isEqualTo(7);
  }

  @Test
  void bodiesInChunksPassBothWays() throws Exception {
    HttpRequest chunked =
        request("/chunks")
            .PUT(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(BYTES)))
            .build();
    HttpResponse<byte[]> response = send(chunked);
    assertThat(response.headers().firstValue("transfer-encoding")).contains("chunked");
    assertThat(response.body()).isEqualTo(BYTES);
    assertThat(served).containsExactly("PUT /chunks 200000");
  }

  @Test
  void aBodyThatTheClientHoldsBackIsSentOnceTheServerWantsIt() throws Exception {
    HttpRequest patient =
        request("/k").PUT(BodyPublishers.ofByteArray(BYTES)).expectContinue(true).build();
    assertThat(send(patient).body()).isEqualTo(BYTES);
    assertThat(served).containsExactly("PUT /k 200000");
  }

  @Test
  void aConnectionIsKeptOnBothSidesAndAHeadHasNoBody() throws Exception {
    String replies =
        raw(
            "HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n"
                + "PUT /b HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
                + "PUT /c/chunks HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n"
                + "Connection: close\r\n\r\n2\r\nde\r\n1\r\nf\r\n0\r\n\r\n");
    assertThat(served).containsExactly("HEAD /a 0", "PUT /b 3", "PUT /c/chunks 3");
    assertThat(serverPorts.stream().distinct()).hasSize(1);
    assertThat(replies.split("HTTP/1.1 200 OK", -1)).hasSize(4);
    assertThat(replies).contains("Content-length: 200000", "\r\n\r\nabc", "\r\ndef\r\n0\r\n\r\n");
  }

  @Test
  void aLostReplyIsOneToARequestThatWasCarriedOut() throws Exception {
    proxy.add(WireRule.often(1, WireFault.LOST_REPLY).on("PUT"));
    assertThat(raw("PUT /k HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc")).isEmpty();
    assertThat(served).containsExactly("PUT /k 3");
    assertThat(proxy.count(WireFault.LOST_REPLY)).isEqualTo(1);
    assertThat(get("/k").statusCode()).isEqualTo(200);
  }

  @Test
  void aRefusedRequestReachesNobodyAndTheConnectionGoesOn() throws Exception {
    proxy.add(new WireRule(Set.of(), "busy", 1, WireFault.REFUSED, 0));
    String replies =
        raw(
            "PUT /busy HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
                + "HEAD /busy HTTP/1.1\r\nHost: h\r\n\r\n"
                + "PUT /k HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nConnection: close\r\n\r\nd");
    assertThat(replies.split("HTTP/1.1 503 Slow Down", -1)).hasSize(3);
    assertThat(replies.split("<Code>SlowDown</Code>", -1)).hasSize(2);
    assertThat(replies).endsWith("\r\n\r\nd");
    assertThat(served).containsExactly("PUT /k 1");
    assertThat(proxy.count(WireFault.REFUSED)).isEqualTo(2);
  }

  @Test
  void aRefusedRequestWhoseBodyIsHeldBackEndsTheConnection() throws Exception {
    proxy.add(WireRule.often(1, WireFault.REFUSED));
    String head = "PUT /k HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n";
    assertThat(raw(head)).startsWith("HTTP/1.1 503 ").endsWith("</Error>");
    assertThat(served).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Refusal.class)
  void everyVendorRefusesInItsWay(Refusal refusal) throws Exception {
    proxy.close();
    proxy = proxy(server.getAddress(), refusal);
    proxy.add(WireRule.often(1, WireFault.REFUSED));
    HttpResponse<byte[]> response = get("/k");
    String body = new String(response.body(), UTF_8);
    switch (refusal) {
      case S3 -> assertThat(body).startsWith("<?xml").contains("<Code>SlowDown</Code>");
      case GCS -> assertThat(body).startsWith("{").contains("rateLimitExceeded").endsWith("}");
      case AZURE -> assertThat(body).contains("<Code>ServerBusy</Code>");
    }
    assertThat(response.statusCode()).isEqualTo(refusal == Refusal.GCS ? 429 : 503);
    assertThat(response.headers().firstValue("x-ms-error-code").isPresent())
        .isEqualTo(refusal == Refusal.AZURE);
  }

  @Test
  void aStalledRequestIsHeldUpBeforeTheServerSeesIt() throws Exception {
    proxy.add(WireRule.often(1, WireFault.STALLED_REQUEST).lasting(60_000));
    assertThat(put("/k").body()).isEqualTo(BYTES);
    assertThat(sleeps).containsExactly("60000 ms, served 0");
  }

  @Test
  void aStalledReplyIsHeldUpAfterTheServerDidWhatItWasAsked() throws Exception {
    proxy.add(WireRule.often(1, WireFault.STALLED_REPLY).lasting(60_000));
    assertThat(put("/k").body()).isEqualTo(BYTES);
    assertThat(sleeps).containsExactly("60000 ms, served 1");
  }

  @Test
  void aDelayIsRandomUpToTheTimeOfTheRule() throws Exception {
    proxy.add(WireRule.often(1, WireFault.DELAYED).lasting(1_000_000));
    for (int i = 0; i < 5; i++) {
      assertThat(put("/k").statusCode()).isEqualTo(200);
    }
    assertThat(sleeps.stream().distinct()).hasSize(5);
    assertThat(sleeps.stream().map(sleep -> Long.parseLong(sleep.split(" ", -1)[0])))
        .allMatch(millis -> millis >= 0 && millis <= 1_000_000);
  }

  @Test
  void aReplyThatIsCutEndsInTheMiddleOfItsBody() throws Exception {
    proxy.add(WireRule.often(1, WireFault.CUT_REPLY));
    String known = raw("PUT /k HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nabcd");
    assertThat(known).contains("Content-length: 4").endsWith("\r\n\r\nab");
    String chunks = raw("PUT /chunks HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nabcd");
    assertThat(chunks).endsWith("\r\n\r\n4\r\nab");
    assertThat(raw("HEAD /k HTTP/1.1\r\nHost: h\r\n\r\n")).as("nothing to cut").isEmpty();
    assertThat(served).hasSize(3);
    assertThatThrownBy(() -> get("/k")).isInstanceOf(IOException.class);
  }

  @Test
  void aRequestThatIsCutIsNotCarriedOut() throws Exception {
    proxy.add(WireRule.often(1, WireFault.CUT_REQUEST));
    assertThat(raw("PUT /k HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nabcd")).isEmpty();
    String chunks = "4\r\nabcd\r\n0\r\n\r\n";
    assertThat(raw("PUT /k HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)).isEmpty();
    assertThat(raw("GET /k HTTP/1.1\r\nHost: h\r\n\r\n")).isEmpty();
    proxy.heal();
    assertThat(put("/k").statusCode()).isEqualTo(200);
    assertThat(served).containsExactly("PUT /k 200000");
  }

  @Test
  void onceHealedNothingGoesWrong() throws Exception {
    proxy.add(WireRule.often(1, WireFault.REFUSED));
    assertThat(put("/k").statusCode()).isEqualTo(503);
    proxy.heal();
    for (int i = 0; i < 10; i++) {
      assertThat(put("/k").statusCode()).isEqualTo(200);
    }
    assertThat(proxy.count(WireFault.REFUSED)).isEqualTo(1);
    assertThat(proxy.requests()).isEqualTo(11);
  }

  @Test
  void theSeedDecidesWhichRequestsAreStruck() throws Exception {
    List<Integer> first = statuses();
    assertThat(first).contains(200, 503);
    proxy.close();
    proxy = proxy(server.getAddress(), Refusal.S3);
    assertThat(statuses()).isEqualTo(first);
  }

  private List<Integer> statuses() throws Exception {
    proxy.add(WireRule.often(0.5, WireFault.REFUSED));
    HttpClient client = client();
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      statuses.add(client.send(request("/k").build(), BodyHandlers.discarding()).statusCode());
    }
    return statuses;
  }

  @Test
  void manyClientsAtOnceGetTheirOwnReplies() throws Exception {
    HttpClient client = client();
    List<byte[]> bodies = new ArrayList<>();
    List<CompletableFuture<HttpResponse<byte[]>>> replies = new ArrayList<>();
    for (int i = 1; i <= 40; i++) {
      bodies.add(bytes(1_000 * i));
      replies.add(
          client.sendAsync(
              request("/chunks").PUT(BodyPublishers.ofByteArray(bodies.get(i - 1))).build(),
              BodyHandlers.ofByteArray()));
    }
    for (int i = 0; i < replies.size(); i++) {
      assertThat(replies.get(i).get().body()).isEqualTo(bodies.get(i));
    }
  }

  @Test
  void aClosedProxyBreaksItsConnectionsAndListensNoMore() throws Exception {
    try (Socket idle = new Socket(InetAddress.getLoopbackAddress(), proxy.uri().getPort())) {
      idle.getOutputStream().write("GET /k HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(ISO_8859_1));
      assertThat(idle.getInputStream().readNBytes(100)).hasSize(100);
      proxy.close();
      byte[] rest = idle.getInputStream().readAllBytes();
      assertThat(rest.length).isLessThanOrEqualTo(BYTES.length + 1_000);
    }
    assertThatThrownBy(() -> raw("GET /k HTTP/1.1\r\n\r\n")).isInstanceOf(IOException.class);
    proxy.close();
  }

  /** A server that answers the first request of each connection as told, and then closes it. */
  private Future<Boolean> scripted(ServerSocket listener, String... replies) throws IOException {
    proxy.close();
    proxy = proxy((InetSocketAddress) listener.getLocalSocketAddress(), Refusal.S3);
    return threads.submit(
        () -> {
          for (String reply : replies) {
            try (Socket socket = listener.accept()) {
              assertThat(HttpHead.read(new BufferedInputStream(socket.getInputStream())))
                  .isPresent();
              socket.getOutputStream().write(reply.getBytes(ISO_8859_1));
            }
            closings.release();
          }
          return true;
        });
  }

  private static ServerSocket listener() throws IOException {
    return new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
  }

  @Test
  void aReplyThatEndsWithItsConnectionIsPassedOnWhole() throws Exception {
    try (ServerSocket listener = listener()) {
      String reply = "HTTP/1.1 200 OK\r\n\r\nabc";
      Future<Boolean> script = scripted(listener, reply);
      assertThat(raw("GET /k HTTP/1.1\r\n\r\n")).isEqualTo(reply);
      assertThat(script.get()).isTrue();
    }
  }

  @Test
  void aServerThatWantsNoBodyIsHeard() throws Exception {
    try (ServerSocket listener = listener()) {
      String refused = "HTTP/1.1 412 Precondition Failed\r\nContent-Length: 2\r\n\r\nno";
      Future<Boolean> script = scripted(listener, refused);
      assertThat(raw("PUT /k HTTP/1.1\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"))
          .isEqualTo(refused);
      assertThat(script.get()).isTrue();
    }
  }

  @Test
  void aConnectionThatTheServerClosedMeanwhileIsReplaced() throws Exception {
    byte[] request = "GET /k HTTP/1.1\r\n\r\n".getBytes(ISO_8859_1);
    String reply = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n";
    try (ServerSocket listener = listener()) {
      Future<Boolean> script = scripted(listener, reply + "a", reply + "b");
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.uri().getPort())) {
        socket.getOutputStream().write(request);
        assertThat(socket.getInputStream().readNBytes(reply.length() + 1)).endsWith('a');
        closings.acquire();
        socket.getOutputStream().write(request);
        assertThat(socket.getInputStream().readNBytes(reply.length() + 1)).endsWith('b');
      }
      assertThat(script.get()).isTrue();
    }
  }

  @Test
  void rulesThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> WireRule.often(1.5, WireFault.REFUSED)).hasMessageContaining("chance");
    assertThatThrownBy(() -> WireRule.often(1, WireFault.DELAYED).lasting(-1))
        .hasMessageContaining("time");
    assertThat(Arrays.asList(WireFault.values())).hasSize(7);
  }
}
