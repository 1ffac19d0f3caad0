// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.Lakestream;
import io.lakestream.model.Mesh;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TetherTest {
  private static final long SECONDS_MAX = 60;

  @TempDir Path folder;

  @Test
  void aChildEndsWhenItsParentIsGone() throws IOException, InterruptedException {
    String place = folder.resolve("stream").toString();
    Lakestream.create(place, new Mesh(1, 1)).close();
    // The stream stays empty, so the reader would wait for ever.
    Process child =
        new ProcessBuilder(Launcher.command(List.of("read", place, "--slice", "0,0")))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    try {
      assertThat(child.waitFor(2, TimeUnit.SECONDS)).isFalse();

      child.getOutputStream().close();

      assertThat(child.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
      assertThat(child.exitValue()).isEqualTo(Tether.PARENT_IS_GONE);
    } finally {
      var unusedHandle = child.destroyForcibly();
    }
  }
}
