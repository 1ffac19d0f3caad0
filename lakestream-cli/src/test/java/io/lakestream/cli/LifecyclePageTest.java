// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of {@code docs/lifecycle.md} print what it says that they print. */
final class LifecyclePageTest {
  private static final String PROMPT = "$ lakestream ";
  private static final String PLACES = "runs/";
  private static final Pattern PIN = Pattern.compile("\\d{20}-[0-9a-f]{16}");

  /** How many batches share an object, and versions a commit, is a matter of time. */
  private static final Pattern BY_CHANCE =
      Pattern.compile(
          "(?m)^((?:batch objects|segments|versions|objects| *210   213) ).*?(?=$|  loss)");

  @TempDir Path folder;

  /** Names of pins by their names on the page. */
  private final Map<String, String> pins = new HashMap<>();

  private record Example(String command, String output) {}

  private static List<Example> examples() throws IOException {
    List<Example> examples = new ArrayList<>();
    String page = Files.readString(Path.of("../docs/lifecycle.md"));
    Matcher blocks = Pattern.compile("(?s)```console\n(.*?)```").matcher(page);
    while (blocks.find()) {
      for (String example : blocks.group(1).split(Pattern.quote(PROMPT), -1)) {
        if (!example.isEmpty()) {
          int end = example.indexOf('\n');
          examples.add(new Example(example.substring(0, end), example.substring(end + 1)));
        }
      }
    }
    return examples;
  }

  private Cli run(String command) {
    String real = PIN.matcher(command).replaceAll(pin -> pins.getOrDefault(pin.group(), "none"));
    Object[] words =
        Pattern.compile(" ")
            .splitAsStream(real)
            .map(word -> word.startsWith(PLACES) ? folder.resolve(word) : word)
            .toArray();
    return Cli.run(words);
  }

  private void learn(String said, String printed) {
    Matcher old = PIN.matcher(said);
    Matcher now = PIN.matcher(printed);
    if (said.lines().count() == 1 && old.lookingAt() && now.lookingAt()) {
      pins.put(old.group(), now.group());
    }
  }

  private String comparable(String output) {
    String there = output.replace(folder + "/", "");
    String chance = BY_CHANCE.matcher(there).replaceAll("$1");
    return PIN.matcher(chance).replaceAll(pin -> pin.group().substring(0, 20));
  }

  @Test
  void theExamplesAreTrue() throws Exception {
    String unused = Streams.sealed(folder.resolve("runs/a"), 300);
    List<Example> examples = examples();
    assertThat(examples).hasSizeGreaterThan(10);
    for (Example example : examples) {
      Cli cli = run(example.command);
      learn(example.output, cli.out());
      assertThat(comparable(cli.out() + cli.err()))
          .as(example.command)
          .isEqualTo(comparable(example.output));
    }
  }
}
