// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.model.Mesh;
import io.lakestream.model.PublicationListener;
import io.lakestream.model.SealMode;
import io.lakestream.model.Tgb;
import io.lakestream.policy.PolicyStart;
import io.lakestream.policy.ProducerSettings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Small streams of raw batches, on a disk that nothing is forced to. */
final class Streams {
  private Streams() {}

  /** The URI of a folder whose files are not forced to the disk. */
  static String uri(Path folder) {
    return folder.toUri().toString().replaceFirst("/$", "") + "?durability=none";
  }

  /** Creates a sealed 1x1 stream; batch i holds the text {@code batch i}. */
  static String sealed(Path folder, int batches) throws InterruptedException {
    return sealed(folder, batches, batches);
  }

  /** The same, of which no more than some batches share an object. */
  static String sealed(Path folder, int batches, int sharing) throws InterruptedException {
    String uri = uri(folder);
    Mesh mesh = new Mesh(1, 1);
    ProducerSettings settings = ProducerSettings.DEFAULT.withPolicy(PolicyStart.naive());
    try (Namespace stream = Lakestream.create(uri, mesh);
        Producer producer = stream.producer("p", settings, PublicationListener.none())) {
      for (int i = 0; i < batches; i++) {
        byte[] bytes = ("batch " + i).getBytes(StandardCharsets.UTF_8);
        producer.write(Tgb.raw(mesh).slice(0, 0, ByteBuffer.wrap(bytes)).build(), "at " + i);
        if ((i + 1) % sharing == 0) {
          producer.flush();
        }
      }
      producer.seal(SealMode.WHEN_ALONE);
    }
    return uri;
  }

  /** More batches of a stream that is there. */
  static void append(Path folder, String producer, int batches) throws InterruptedException {
    try (Namespace stream = Lakestream.open(uri(folder));
        Producer open = stream.producer(producer)) {
      for (int i = 0; i < batches; i++) {
        byte[] bytes = ("batch " + i).getBytes(StandardCharsets.UTF_8);
        open.write(Tgb.raw(stream.mesh()).slice(0, 0, ByteBuffer.wrap(bytes)).build(), "at " + i);
      }
    }
  }

  /** Opens a producer and never closes it, as one that was killed. */
  static void leaveActive(Path folder, String producer) throws InterruptedException {
    try (Namespace stream = Lakestream.open(uri(folder))) {
      if (stream.producer(producer).epoch() < 1) {
        throw new AssertionError("an opening is a version");
      }
    }
  }
}
