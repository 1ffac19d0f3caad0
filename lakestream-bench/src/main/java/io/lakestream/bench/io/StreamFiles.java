// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.io;

import io.lakestream.Consumer;
import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.model.Cell;
import io.lakestream.model.Cursor;
import io.lakestream.model.Mesh;
import io.lakestream.model.PublicationListener;
import io.lakestream.model.RankBatch;
import io.lakestream.model.SealMode;
import io.lakestream.model.Tgb;
import io.lakestream.model.Topology;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.policy.ProducerSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The same work as {@link PlainFiles}, through the public API: one producer that writes steps of
 * one slice, one consumer that reads them, on the file store with full durability. Settings are the
 * default ones, but for what may be in flight.
 *
 * <p>A write ends when all steps are visible. A read starts with opening the namespace and ends at
 * the sealed end of the stream, every step checked, in order, in the calling thread.
 */
final class StreamFiles implements AutoCloseable {
  private static final Mesh MESH = new Mesh(1, 1);

  /** For each object being written one more waits, so that no upload waits for the caller. */
  private static final long WAITING_PER_UPLOAD = 2;

  private final Path root;
  private final int inFlight;
  private final Namespace namespace;
  private final Producer producer;

  private StreamFiles(Path root, int inFlight, Namespace namespace, Producer producer) {
    this.root = root;
    this.inFlight = inFlight;
    this.namespace = namespace;
    this.producer = producer;
  }

  /**
   * A new stream below {@code root}, with an open producer.
   *
   * @param inFlight objects being written or read at a time
   * @param tgbBytes bytes of a step
   * @param bundleBytes up to how many bytes waiting batches share an object; 0 for one each
   */
  static StreamFiles create(Path root, int inFlight, long tgbBytes, long bundleBytes)
      throws InterruptedException {
    long bytesInFlight = WAITING_PER_UPLOAD * inFlight * Math.max(tgbBytes, bundleBytes);
    ProducerSettings settings =
        ProducerSettings.DEFAULT.withUploads(inFlight, bytesInFlight, bundleBytes);
    Namespace namespace = Lakestream.create(root.toUri().toString(), MESH);
    try {
      Producer producer = namespace.producer("bench", settings, PublicationListener.none());
      return new StreamFiles(root, inFlight, namespace, producer);
    } catch (InterruptedException | RuntimeException | Error e) {
      try (namespace) {
        throw e;
      }
    }
  }

  /** Writes the payloads of {@code count} steps; visible and durable when this returns. */
  void write(Payloads payloads, long count) throws InterruptedException {
    for (long i = 0; i < count; i++) {
      Tgb tgb = Tgb.raw(MESH).slice(0, 0, payloads.of(i)).build();
      producer.write(tgb, Long.toString(i));
    }
    producer.flush();
  }

  /** Gives the stream its end. */
  void seal() throws InterruptedException {
    producer.seal(SealMode.WHEN_ALONE);
  }

  /**
   * Reads the sealed stream from its start to its end.
   *
   * @throws IOException if it has not exactly {@code count} steps
   */
  void read(long count) throws IOException, InterruptedException {
    Topology topology = new Topology(MESH, new Cell(0, 0));
    ConsumerSettings standard = ConsumerSettings.DEFAULT;
    ConsumerSettings settings =
        standard.withPrefetch(standard.prefetchSteps(), standard.prefetchBytes(), inFlight);
    try (Namespace opened = Lakestream.open(root.toUri().toString());
        Consumer consumer = opened.consumer(topology, Cursor.start(opened.uuid()), settings)) {
      long steps = 0;
      Optional<RankBatch> batch = consumer.next();
      while (batch.isPresent()) {
        ByteBuffer payload = batch.get().payload();
        if (Payloads.step(payload) != steps) {
          throw new IOException("step %d has another's bytes".formatted(steps));
        }
        steps++;
        batch = consumer.next();
      }
      if (steps != count) {
        throw new IOException("%d of %d steps were read".formatted(steps, count));
      }
    }
  }

  /** Deletes the data of all steps, though not the steps: for a stream that nobody will read. */
  void clear() throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(root.resolve("data"))) {
      for (Path folder : folders) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
          for (Path file : files) {
            Files.delete(file);
          }
        }
      }
    }
  }

  @Override
  public void close() {
    try (namespace) {
      producer.close();
    }
  }
}
