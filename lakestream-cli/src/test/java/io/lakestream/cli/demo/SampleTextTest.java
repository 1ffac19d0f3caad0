// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleTextTest {
  @TempDir Path folder;

  @Test
  void theSampleLiesBesideTheCommand() throws IOException {
    Path sample = Files.createDirectories(folder.resolve("sample")).resolve("some-1-sources.jar");
    Files.writeString(sample, "text");

    assertThat(SampleText.in(folder)).contains(sample);
  }

  @Test
  void anInstallationMayBeWithoutIt() throws IOException {
    assertThat(SampleText.in(folder)).isEmpty();
    Files.createDirectories(folder.resolve("sample"));
    assertThat(SampleText.in(folder)).isEmpty();
  }
}
