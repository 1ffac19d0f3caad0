// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lakestream.text.SkipReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/command.md} names every field of every command's JSON. */
final class CommandPageTest {
  @TempDir Path folder;

  /** Tests run in the folder of their module. */
  private static List<String> page() throws IOException {
    return Files.readAllLines(Path.of("../docs/command.md"));
  }

  /** The names of an object's fields and of the objects inside, other than those of operations. */
  private static void collect(JsonNode value, Set<String> names) {
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      names.add(field.getKey());
      if (!field.getKey().equals("store")) {
        collect(field.getValue(), names);
      }
    }
    if (value.isArray()) {
      value.forEach(element -> collect(element, names));
    }
  }

  /** Fails unless the page names each field of {@code json} in one of these rows of its table. */
  static void assertNamed(JsonNode json, String... rows) throws IOException {
    Set<String> names = new TreeSet<>();
    collect(json, names);
    String text = String.join("\n", page().stream().filter(l -> isOneOf(l, rows)).toList());
    assertThat(names).isNotEmpty().allSatisfy(name -> assertThat(text).contains("`" + name + "`"));
  }

  private static boolean isOneOf(String line, String... rows) {
    return List.of(rows).stream().anyMatch(row -> line.startsWith("| " + row + " |"));
  }

  @Test
  void namesEveryField() throws IOException, InterruptedException {
    Path stream = folder.resolve("stream");
    Path text = folder.resolve("text");
    Texts.write(text, 3);
    Object[] write = {"write", stream, "--producer", "p", "--from", text, "--seal", "--json"};
    assertNamed(Cli.run("init", stream, "--mesh", "1x1", "--json").json(), "`init`");
    JsonNode written = Cli.run(write).json();
    assertNamed(written, "`write`");
    assertNamed(written.path("store").path("put"), "a `store`");
    assertNamed(Cli.run("read", stream, "--slice", "0,0", "--json").json(), "`read`");
    assertNamed(Cli.run("seal", stream, "--json").json(), "`seal`");
    Path open = folder.resolve("open");
    Cli.run("init", open, "--mesh", "1x1").isDone();
    Streams.leaveActive(open, "p");
    assertNamed(Cli.run("retire", open, "p", "--json").json(), "`retire`");
    Object[] skip = {"skip", stream, "0:1", "--reason", "bad", "--json"};
    assertNamed(Cli.run(skip).json(), "`skip`");
    assertNamed(Cli.run("skips", stream, "--json").json(), "`skips`");
    assertNamed(Cli.run("info", stream, "--json").json(), "`info`", "a schema");
    assertNamed(Cli.run("log", stream, "--json").json(), "`log`");
    assertNamed(Cli.run("steps", stream, "--json").json(), "`steps`, `tail`");
    assertNamed(
        Cli.run("cat", stream, "0", "--json").json(), "`cat`", "`steps`, `tail`", "a schema");
    assertNamed(Cli.run("cat", stream, "0", "--slice", "0,0", "--json").json(), "`cat --slice`");
    assertNamed(Cli.run("producers", stream, "--json").json(), "`producers`");
    assertNamed(Cli.run("doctor", stream, "--json").json(), "`doctor`");
    assertNamed(Cli.run("fsck", stream, "--json").json(), "`fsck`");
  }

  @Test
  void namesEveryFieldOfCheckpointsAndReclamation() throws IOException, InterruptedException {
    String stream = Streams.sealed(folder.resolve("stream"), 12);
    JsonNode pin = Cli.run("pin", stream, 5, "--json").json();
    assertNamed(pin, "`pin`, `pins`");
    assertNamed(Cli.run("pins", stream, "--json").json(), "`pin`, `pins`");
    Object[] start = {"group", "start", stream, "train", "--ranks", 2, "--at", 3, "--json"};
    assertNamed(Cli.run(start).json(), "`group start`");
    Object[] report = {"group", "report", stream, "train", 0, "--step", 7, "--json"};
    assertNamed(Cli.run(report).json(), "`group report`");
    assertNamed(
        Cli.run("watermarks", stream, "--json").json(),
        "`watermarks`",
        "`group start`",
        "`pin`, `pins`",
        "a promise");
    assertNamed(Cli.run("reclaim", stream, "--dry-run", "--json").json(), "`reclaim`", "a promise");
    assertNamed(Cli.run("unpin", stream, pin.path("name").asText(), "--json").json(), "`unpin`");
    assertNamed(Cli.run("group", "remove", stream, "train", "--json").json(), "`group remove`");
  }

  @Test
  void namesEveryReasonToSkip() throws IOException {
    String text = String.join("\n", page());
    for (SkipReason reason : SkipReason.values()) {
      assertThat(text).contains("`" + Skips.name(reason) + "`");
    }
  }

  @Test
  void namesEveryFieldOfEvents() throws IOException {
    Path stream = folder.resolve("stream");
    Path text = folder.resolve("text");
    Path events = folder.resolve("events");
    Texts.write(text, 3);
    Cli.run("init", stream, "--mesh", "1x1").isDone();
    Cli.run("write", stream, "--producer", "p", "--from", text, "--seal", "--events", events);
    List<String> lines = new ArrayList<>(Files.readAllLines(events).subList(0, 1));
    Files.delete(events);
    Cli.run("read", stream, "--slice", "0,0", "--events", events).isDone();
    lines.add(Files.readAllLines(events).get(0));
    String page = String.join(" ", page());
    for (String line : lines) {
      for (Map.Entry<String, JsonNode> field : Json.parse(line).properties()) {
        assertThat(page.substring(page.indexOf("## Events"))).contains("`" + field.getKey() + "`");
      }
    }
  }
}
