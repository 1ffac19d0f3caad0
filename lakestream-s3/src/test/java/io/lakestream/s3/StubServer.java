// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import io.lakestream.store.ObjectStore;
import io.lakestream.store.Stores;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A server that gives the answers it was told to, byte for byte, one after the other, whatever it
 * is asked. It takes one connection at a time.
 */
final class StubServer implements Closeable {
  /**
   * A request as it came.
   *
   * @param line its first line
   * @param headers by their names in lower case
   * @param body its body
   */
  record Request(String line, Map<String, String> headers, ByteBuffer body) {}

  private final ServerSocket socket;
  private final Queue<String> answers = new ArrayDeque<>();
  private final Queue<Request> requests = new ConcurrentLinkedQueue<>();

  StubServer(String... answers) throws IOException {
    Collections.addAll(this.answers, answers);
    socket = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve, "stub");
    thread.setDaemon(true);
    thread.start();
  }

  /** What the stub was asked. */
  List<Request> requests() {
    return new ArrayList<>(requests);
  }

  String endpoint() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  /** A store on it, with options that follow the endpoint. */
  ObjectStore store(String options) {
    return Stores.open("s3://bucket/p?endpoint=" + endpoint() + options);
  }

  /** An answer without a body. */
  static String status(int status) {
    return "HTTP/1.1 %d X\r\nContent-Length: 0\r\n\r\n".formatted(status);
  }

  /** An error as S3 words it. */
  static String error(int status, String code) {
    String body = "<Error><Code>%s</Code><Message>so it is</Message></Error>".formatted(code);
    return "HTTP/1.1 %d X\r\nContent-Type: application/xml\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(status, body.length(), body);
  }

  /** A part of an object, of which {@code sent} may be less than is announced. */
  static String part(int from, String announced, int total, String sent) {
    return ("HTTP/1.1 206 X\r\nETag: \"t\"\r\nContent-Range: bytes %d-%d/%d\r\nContent-Length:"
            + " %d\r\n\r\n%s")
        .formatted(from, from + announced.length() - 1, total, announced.length(), sent);
  }

  private void serve() {
    while (!socket.isClosed()) {
      try (Socket connection = socket.accept()) {
        answer(connection);
      } catch (IOException e) {
        // The client went away, or the test is over.
      }
    }
  }

  /** Answers one request and hangs up; of an empty answer only hangs up. */
  private void answer(Socket connection) throws IOException {
    InputStream in = new BufferedInputStream(connection.getInputStream());
    OutputStream out = connection.getOutputStream();
    String line = line(in);
    Map<String, String> headers = new TreeMap<>();
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      int colon = header.indexOf(':');
      headers.put(
          header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).trim());
    }
    if (headers.containsKey("expect")) {
      out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    requests.add(new Request(line, headers, ByteBuffer.wrap(in.readNBytes(length))));
    String answer = answers.size() > 1 ? answers.remove() : answers.element();
    String closing = answer.replaceFirst("\r\n", "\r\nConnection: close\r\n");
    out.write(closing.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("the client hung up");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
