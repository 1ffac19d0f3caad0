// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.s3.S3Client;

/** Ceph's S3 gateway with one OSD on a file, for all tests of a JVM. */
final class CephServer {
  static final String BUCKET = "bucket";

  private static final int COMMAND_SECONDS_MAX = 180;
  private static final CephServer ONLY = created();

  private final Path folder;
  private final int port;

  private CephServer(Path folder, int port) {
    this.folder = folder;
    this.port = port;
  }

  static CephServer only() {
    return ONLY;
  }

  /** The URI of a prefix of its bucket that nobody else uses. */
  String freshPlace() {
    S3ProxyServer.setCredentials();
    return "s3://%s/%s?%s".formatted(BUCKET, UUID.randomUUID(), options());
  }

  /** What a URI needs to reach it. */
  String options() {
    return "endpoint=http://127.0.0.1:" + port;
  }

  /** Ends all of its processes as a power cut would, and starts them again. */
  void killAndStart() throws IOException, InterruptedException {
    run("kill", folder.toString());
    run("start", folder.toString());
  }

  private static CephServer created() {
    try {
      return create();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("Ceph does not start", e);
    }
  }

  private static CephServer create() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("lakestream-ceph");
    int port = S3ProxyServer.freePort();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(folder)));
    run(
        "create",
        folder.toString(),
        String.valueOf(port),
        String.valueOf(S3ProxyServer.freePort()));
    S3ProxyServer.setCredentials();
    CephServer server = new CephServer(folder, port);
    try (S3Client client = S3Clients.client(server.settings())) {
      var unused = client.createBucket(request -> request.bucket(BUCKET));
    }
    return server;
  }

  /** How a client of the SDK reaches it. */
  S3Settings settings() {
    return S3Settings.of(URI.create("s3://%s/?%s".formatted(BUCKET, options())));
  }

  private static void run(String... arguments) throws IOException, InterruptedException {
    Path script = Path.of("..", "lakestream-servers", "ceph").toAbsolutePath().normalize();
    Path log = Files.createTempFile("lakestream-ceph", ".log");
    try {
      ProcessBuilder builder = new ProcessBuilder(script.toString());
      builder.command().addAll(List.of(arguments));
      Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
      boolean isDone = process.waitFor(COMMAND_SECONDS_MAX, TimeUnit.SECONDS);
      if (!isDone || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException(arguments[0] + ": " + Files.readString(log));
      }
    } finally {
      Files.delete(log);
    }
  }

  private static void stop(Path folder) {
    try {
      run("kill", folder.toString());
      S3ProxyServer.delete(folder);
    } catch (IOException | InterruptedException e) {
      System.getLogger(CephServer.class.getName()).log(System.Logger.Level.WARNING, "", e);
    }
  }
}
