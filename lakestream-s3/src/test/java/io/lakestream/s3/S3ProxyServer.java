// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** S3Proxy on a folder, in a process of its own, for all tests of a JVM. */
final class S3ProxyServer {
  static final String IDENTITY = "test";
  static final String CREDENTIAL = "testtest";
  static final String BUCKET = "bucket";

  private static final int START_SECONDS_MAX = 60;
  private static final S3ProxyServer ONLY = started();

  private final int port;

  private S3ProxyServer(int port) {
    this.port = port;
  }

  /** The URI of a prefix of its bucket that nobody else uses. */
  static String freshPlace() {
    setCredentials();
    return "s3://%s/%s?endpoint=http://127.0.0.1:%d"
        .formatted(BUCKET, UUID.randomUUID(), ONLY.port);
  }

  /** Lets stores of this JVM sign as its user. */
  static void setCredentials() {
    System.setProperty("aws.accessKeyId", IDENTITY);
    System.setProperty("aws.secretAccessKey", CREDENTIAL);
  }

  private static S3ProxyServer started() {
    try {
      return start();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("S3Proxy does not start", e);
    }
  }

  private static S3ProxyServer start() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("lakestream-s3proxy");
    Path objects = Files.createDirectories(folder.resolve("objects").resolve(BUCKET)).getParent();
    int port = freePort();
    Path settings = folder.resolve("s3proxy.properties");
    StringBuilder lines = new StringBuilder();
    Map.of(
            "s3proxy.endpoint",
            "http://127.0.0.1:" + port,
            "s3proxy.authorization",
            "aws-v2-or-v4",
            "s3proxy.identity",
            IDENTITY,
            "s3proxy.credential",
            CREDENTIAL,
            "jclouds.provider",
            "filesystem-nio2",
            "jclouds.filesystem.basedir",
            String.valueOf(objects),
            "jclouds.identity",
            "unused",
            "jclouds.credential",
            "unused")
        .forEach((name, value) -> lines.append(name).append('=').append(value).append('\n'));
    Path written = Files.writeString(settings, lines);
    Path logging =
        Files.writeString(
            folder.resolve("logback.xml"), "<configuration><root level=\"OFF\"/></configuration>");
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx512m",
                    "-Dlogback.configurationFile=" + logging,
                    "-cp",
                    libraries() + File.separator + "*",
                    "org.gaul.s3proxy.Main",
                    "--properties",
                    written.toString()))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process, folder)));
    await(process, port, folder);
    return new S3ProxyServer(port);
  }

  private static Path libraries() {
    Path folder = Path.of("..", "lakestream-servers", "target", "s3proxy").toAbsolutePath();
    if (!Files.isDirectory(folder)) {
      throw new AssertionError(folder + " is not there: build the module lakestream-servers first");
    }
    return folder.normalize();
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void await(Process process, int port, Path folder)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    while (System.nanoTime() < end && process.isAlive()) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        if (socket.isConnected()) {
          return;
        }
      } catch (IOException e) {
        Thread.sleep(50);
      }
    }
    throw new AssertionError("S3Proxy said: " + Files.readString(folder.resolve("log")));
  }

  private static void stop(Process process, Path folder) {
    process.destroyForcibly();
    try {
      int unused = process.waitFor();
      delete(folder);
    } catch (IOException | InterruptedException e) {
      System.getLogger(S3ProxyServer.class.getName()).log(System.Logger.Level.WARNING, "", e);
    }
  }

  static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      paths.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }
}
