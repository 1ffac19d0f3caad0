// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.model.Cell;
import io.lakestream.model.Mesh;
import io.lakestream.model.RankBatch;
import io.lakestream.model.SealMode;
import io.lakestream.model.Tgb;
import io.lakestream.model.Topology;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the README: it is this code, and this code works. */
final class ReadmeExampleTest {
  private static final String SOURCE = "src/test/java/io/lakestream/ReadmeExampleTest.java";

  private final List<ByteBuffer> trained = new ArrayList<>();

  private static ByteBuffer bytes(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).flip();
  }

  private void train(ByteBuffer payload) {
    trained.add(payload);
  }

  @Test
  void theExampleOfTheReadmeRuns(@TempDir Path folder) throws InterruptedException {
    run(folder.resolve("run").toString());
    assertThat(trained).hasSize(100);
    assertThat(trained.get(42).getInt(trained.get(42).position())).isEqualTo(42);
  }

  private void run(String place) throws InterruptedException {
    // README
    try (Namespace stream = Lakestream.create(place, new Mesh(2, 1))) {
      try (Producer producer = stream.producer("packer-0")) {
        String position = producer.recoveredOffset().orElse("0");
        for (int i = Integer.parseInt(position); i < 100; i++) {
          Tgb batch = Tgb.raw(stream.mesh()).slice(0, 0, bytes(i)).slice(1, 0, bytes(-i)).build();
          producer.write(batch, Integer.toString(i + 1)); // what this producer resumes from
        }
        producer.seal(SealMode.WHEN_ALONE); // the end is a fact that every rank sees
      }
      Topology rank = new Topology(stream.mesh(), new Cell(0, 0)); // or Topology.ofEnvironment
      try (Consumer consumer = stream.consumer(rank)) {
        Optional<RankBatch> batch = consumer.next();
        while (batch.isPresent()) {
          train(batch.get().payload());
          String checkpoint = consumer.cursor().toJson(); // save it with the model
          assertThat(checkpoint).contains(stream.uuid().toString());
          batch = consumer.next();
        }
      }
    }
    // end
  }

  @Test
  void theReadmeShowsThisCode() throws IOException {
    List<String> source = Files.readAllLines(Path.of(SOURCE));
    List<String> readme = Files.readAllLines(Path.of("../README.md"));
    List<String> code =
        source.subList(source.indexOf("    // README") + 1, source.indexOf("    // end")).stream()
            .filter(line -> !line.contains("assertThat"))
            .map(line -> line.substring(4))
            .toList();
    int start = readme.indexOf("```java") + 1;
    assertThat(readme.subList(start, start + code.size())).isEqualTo(code);
    assertThat(readme.get(start + code.size())).isEqualTo("```");
  }
}
