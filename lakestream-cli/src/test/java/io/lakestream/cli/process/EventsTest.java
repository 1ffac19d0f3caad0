// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventsTest {
  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("events.jsonl"), text);
  }

  @Test
  void halfALineIsNoEvent() throws IOException {
    Path file = file("{\"step\":0}\n{\"step\":1}\n{\"step\":2,\"byt");

    assertThat(Events.read(file)).hasSize(2);
    assertThat(Events.last(file, "step")).hasValue(1);
  }

  @Test
  void theLastNumberIsFoundBeforeWhatDoesNotHaveIt() throws IOException {
    Path file = file("{\"seq\":7}\n{\"seq\":8}\n{\"done\":true,\"tgbs\":9}\n");

    assertThat(Events.last(file, "seq")).hasValue(8);
    assertThat(Events.done(Events.read(file))).isPresent();
  }

  @Test
  void theLastNumberOfALongFileIsFoundAtItsEnd() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      text.append("{\"step\":").append(i).append("}\n");
    }

    assertThat(Events.last(file(text.toString()), "step")).hasValue(9_999);
  }

  @Test
  void aFileThatIsNotThereHasNoEvents() {
    Path file = folder.resolve("nothing.jsonl");

    assertThat(Events.read(file)).isEmpty();
    assertThat(Events.last(file, "step")).isEmpty();
  }
}
