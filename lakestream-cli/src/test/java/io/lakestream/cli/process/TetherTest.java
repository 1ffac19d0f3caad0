// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.model.Mesh;
import io.lakestream.model.Tgb;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class TetherTest {
  /** Beyond what the slowest machine takes; reached only if something hangs. */
  private static final long PATIENCE_SECONDS = 60;

  @TempDir Path folder;

  private String streamOfOneStep() throws InterruptedException {
    String place = folder.resolve("stream").toString();
    Mesh mesh = new Mesh(1, 1);
    try (Namespace stream = Lakestream.create(place, mesh);
        Producer producer = stream.producer("p")) {
      producer.write(Tgb.raw(mesh).slice(0, 0, ByteBuffer.allocate(1)).build(), "1");
    }
    return place;
  }

  @Test
  @Timeout(PATIENCE_SECONDS)
  void aChildEndsWhenItsParentIsGone() throws IOException, InterruptedException {
    String place = streamOfOneStep();
    Path events = folder.resolve("events");
    List<String> read = List.of("read", place, "--slice", "0,0", "--events", events.toString());
    Process child =
        new ProcessBuilder(Launcher.command(64, read))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    try {
      while (Events.last(events, "step").isEmpty()) {
        assertThat(child.isAlive()).isTrue();
        Thread.sleep(20);
      }
      // The stream is not sealed, so the reader would wait for ever.

      child.getOutputStream().close();

      assertThat(child.waitFor()).isEqualTo(Tether.PARENT_IS_GONE);
    } finally {
      var unusedHandle = child.destroyForcibly();
    }
  }
}
