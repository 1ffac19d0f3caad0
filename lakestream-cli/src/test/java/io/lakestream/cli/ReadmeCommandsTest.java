// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README has people type works in a fresh clone, and leaves nothing in it. */
final class ReadmeCommandsTest {
  private static final String COMMAND = "./lakestream ";

  /** Tests run in the folder of their module; people in the one above. */
  private static final Path CLONE = Path.of("..");

  @TempDir Path folder;

  /** The lines of the block of code that follows a heading. */
  private static List<String> block(String heading) throws IOException {
    List<String> lines = Files.readAllLines(CLONE.resolve("README.md"));
    List<String> section = lines.subList(lines.indexOf(heading), lines.size());
    List<String> block = section.subList(section.indexOf("```sh") + 1, section.size());
    return block.subList(0, block.indexOf("```"));
  }

  private Object[] arguments(String line) {
    return Arrays.stream(line.substring(COMMAND.length()).split(" +"))
        .map(word -> word.replaceFirst("^runs/", folder + "/"))
        .map(word -> word.contains("/") ? CLONE.resolve(word).toString() : word)
        .toArray();
  }

  @Test
  void theCommandsRun() throws IOException {
    List<String> lines = block("## On the command line");
    assertThat(lines).hasSizeGreaterThan(4).allMatch(line -> line.startsWith(COMMAND));
    for (String line : lines) {
      Cli.run(arguments(line)).isDone();
    }
    Cli info = Cli.run("info", folder.resolve("a"), "--json");
    assertThat(info.json().path("nextStep").asLong()).isGreaterThan(5);
  }

  @Test
  void theTwoCommandsAreThere() throws IOException {
    List<String> lines = block("## Two commands");
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).startsWith(COMMAND + "demo ");
    Cli.run("demo", "--help").isDone();
  }

  @Test
  void theVersionIsThatOfTheBuild() throws IOException {
    String version = "<version>[^<]+</version>";
    String pom = Files.readString(Path.of("pom.xml"));
    String parent = pom.replaceFirst("(?s).*?(" + version + ").*", "$1");
    assertThat(Files.readString(CLONE.resolve("README.md")))
        .contains("<artifactId>lakestream-core</artifactId>\n  " + parent);
  }
}
