// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that look at a stream, for people and for programs. */
final class LookingTest {
  private static final String SHORT = "--sequence-length=16";

  @TempDir Path folder;
  private String stream = "";

  @BeforeEach
  void createStream() throws InterruptedException {
    stream = Streams.sealed(folder.resolve("stream"), 12);
  }

  @Test
  void infoTellsWhatTheStreamHolds() {
    JsonNode info = Cli.run("info", stream, "--json").json();
    assertThat(info.path("mesh").asText()).isEqualTo("1x1");
    assertThat(info.path("firstStep").asLong(-1)).isZero();
    assertThat(info.path("nextStep").asLong()).isEqualTo(12);
    assertThat(info.path("sealed").asBoolean()).isTrue();
    assertThat(info.path("schemas").get(0).path("contentType").asText()).isEqualTo("raw");
    assertThat(Cli.run("info", stream).isDone().out()).contains("0 to 11, sealed");
  }

  @Test
  void infoOfAnEmptyStreamShowsNoSteps() {
    Path empty = folder.resolve("empty");
    Cli.run("init", empty, "--mesh", "3x2").isDone();
    assertThat(Cli.run("info", empty).isDone().out()).contains("3x2", "none, open");
    for (String command : List.of("log", "steps", "producers")) {
      assertThat(Cli.run(command, empty, "--json").json()).isEmpty();
      assertThat(Cli.run(command, empty).isDone().out().lines()).hasSize(1);
    }
  }

  @Test
  void logListsVersionsNewestFirst() {
    JsonNode log = Cli.run("log", stream, "--json").json();
    assertThat(log.get(log.size() - 1).path("kind").asText()).isEqualTo("open");
    for (int i = 1; i < log.size(); i++) {
      assertThat(log.get(i).path("version").asLong())
          .isEqualTo(log.get(i - 1).path("version").asLong() - 1);
    }
    JsonNode two = Cli.run("log", stream, "--json", "--from", "2", "--limit", "2").json();
    assertThat(two.findValuesAsText("version")).containsExactly("2", "1");
    assertThat(Cli.run("log", stream, "--from", "999").isDone().out()).contains("seal");
  }

  @Test
  void stepsAndTailListStepsInColumnsThatLineUp() {
    JsonNode steps = Cli.run("steps", stream, "--json", "--from", "4", "--limit", "3").json();
    assertThat(steps.findValuesAsText("step")).containsExactly("4", "5", "6");
    assertThat(steps.findValuesAsText("offset")).containsExactly("at 4", "at 5", "at 6");
    assertThat(Cli.run("steps", stream, "--from", "400", "--json").json()).isEmpty();
    List<String> lines = Cli.run("steps", stream).isDone().out().lines().toList();
    assertThat(lines).hasSize(13);
    int column = lines.get(0).indexOf("object");
    assertThat(lines.subList(1, 13)).allMatch(line -> line.startsWith("data/", column));
  }

  @Test
  void tailEndsByItselfBehindASealedStream() {
    String out = Cli.run("tail", stream, "-f", "--limit", "2", "--json").isDone().out();
    assertThat(out.lines()).hasSize(2).allMatch(line -> line.startsWith("{\"step\":1"));
    assertThat(Cli.run("tail", stream).isDone().out().lines()).hasSize(11);
  }

  @Test
  void producersListsHowFarEachCame() {
    JsonNode producers = Cli.run("producers", stream, "--json").json();
    assertThat(producers).hasSize(1);
    assertThat(producers.get(0).path("tgbs").asLong()).isEqualTo(12);
    assertThat(producers.get(0).path("active").asBoolean(true)).isFalse();
    assertThat(Cli.run("producers", stream).isDone().out()).contains("retired", "at 11");
  }

  @Test
  void catShowsFooterSliceAndBytes() {
    JsonNode step = Cli.run("cat", stream, "7", "--json").json();
    assertThat(step.path("offset").asText()).isEqualTo("at 7");
    assertThat(step.path("slices").get(0).path("bytes").asLong()).isEqualTo(7);
    assertThat(Cli.run("cat", stream, "7").isDone().out()).contains("'p'", "0,0");
    JsonNode slice = Cli.run("cat", stream, "7", "--slice", "0,0", "--json").json();
    assertThat(slice.path("text").asText()).isEqualTo("batch 7");
    assertThat(Cli.run("cat", stream, "7", "--slice", "0,0").out()).contains("  batch 7");
    assertThat(Cli.run("cat", stream, "7", "--slice", "0,0", "--raw").out()).isEqualTo("batch 7");
  }

  @Test
  void catShowsTensorsOfPackedTextAndTheTextItself() throws Exception {
    Path packed = folder.resolve("packed");
    Path text = folder.resolve("text");
    Texts.write(text, 5);
    Cli.run("init", packed, "--mesh", "2x2").isDone();
    Cli.run("write", packed, "--producer=p", "--from", text, "--rows=1", "--seal", SHORT).isDone();
    JsonNode step = Cli.run("cat", packed, "0", "--json").json();
    assertThat(step.path("cpLayout").asText()).isEqualTo("zigzag");
    assertThat(step.path("slices")).hasSize(4);
    assertThat(step.path("provenance").get(0).asText()).isEqualTo("encoding cl100k_base");
    assertThat(step.path("provenance").get(1).asText()).isEqualTo("0000.txt:0-7");
    String slice = Cli.run("cat", packed, "0", "--slice", "0,0").isDone().out();
    assertThat(slice).contains("tokens I32 (1, 8): ", "row_lengths I32 (1): 16", "Document");
    JsonNode one =
        Cli.run("cat", packed, "0", "--slice", "0,0", "--tensor", "cu_seqlens", "--json").json();
    assertThat(one.path("tensors")).hasSize(1);
    assertThat(one.path("text").isNull()).isTrue();
    Cli.run("cat", packed, "0", "--slice", "0,0", "--tensor", "labels")
        .isRefused(2, "no tensor 'labels'", "tokens");
  }

  @Test
  void aVocabularyOfOnesOwnIsForWritingAndLooking() throws Exception {
    Path packed = folder.resolve("packed");
    Path text = folder.resolve("text");
    Texts.write(text, 5);
    VocabularyOptions options = new VocabularyOptions();
    options.ranks = Texts.singleBytes(folder.resolve("own.tiktoken"));
    options.endOfText = 300;
    List<String> arguments = options.vocabulary(null).orElseThrow().arguments();
    List<Object> write = new ArrayList<>(List.of("write", packed, "--producer=p", "--from", text));
    write.addAll(arguments);
    Cli.run("init", packed, "--mesh", "1x1").isDone();
    assertThat(Cli.run(write.toArray()).isDone().out()).isNotEmpty();
    List<Object> cat = new ArrayList<>(List.of("cat", packed, "0", "--slice", "0,0", "--json"));
    assertThat(Cli.run(cat.toArray()).json().path("text").isNull()).isTrue();
    cat.addAll(arguments);
    JsonNode slice = Cli.run(cat.toArray()).json();
    assertThat(slice.path("encoding").asText()).isEqualTo("own.tiktoken");
    assertThat(slice.path("text").asText()).startsWith("Document 0 begins.");
  }

  @Test
  void optionsOfAVocabularyThatDoNotGoTogetherAreRefused() throws Exception {
    String ranks = "--ranks=" + Texts.singleBytes(folder.resolve("own.tiktoken"));
    String end = "--end-of-text=300";
    assertRefused("exclude each other", ranks, end, "--encoding=r50k_base");
    assertRefused("needs --end-of-text", ranks);
    assertRefused("are for a vocabulary of --ranks", end);
    assertRefused("--split is no regular expression", ranks, end, "--split=(");
    assertRefused("255 cannot be the id", ranks, "--end-of-text=255");
  }

  private void assertRefused(String message, String... vocabulary) {
    List<Object> write = new ArrayList<>(List.of("write", stream, "--producer=q"));
    write.add("--from=" + folder);
    write.addAll(List.of(vocabulary));
    Cli.run(write.toArray()).isRefused(2, message);
  }

  @Test
  void catShowsTokensInTheVocabularyThatMadeThem() throws Exception {
    Path packed = folder.resolve("packed");
    Path text = folder.resolve("text");
    Texts.write(text, 5);
    Cli.run("init", packed, "--mesh", "1x1").isDone();
    Cli.run("write", packed, "--producer=p", "--from", text, "--encoding=r50k_base", SHORT)
        .isDone();
    Object[] cat = {"cat", packed, "0", "--slice", "0,0", "--json"};
    JsonNode slice = Cli.run(cat).json();
    assertThat(slice.path("encoding").asText()).isEqualTo("r50k_base");
    assertThat(slice.path("text").asText()).startsWith("Document 0 begins.");
    Cli asked = Cli.run("cat", packed, "0", "--slice", "0,0", "--encoding", "o200k_base").isDone();
    assertThat(asked.out()).contains("text in o200k_base:").doesNotContain("Document 0");
    Cli.run("cat", packed, "0", "--slice", "0,0", "--encoding", "x").isRefused(2, "no tokenizer");
  }

  @Test
  void doctorLooksAtPlacesWithAndWithoutANamespace() {
    JsonNode found = Cli.run("doctor", stream, "--json").json();
    assertThat(found.path("sound").asBoolean()).isTrue();
    assertThat(found.path("freeBytes").asLong()).isPositive();
    assertThat(found.path("namespace").path("steps").asLong()).isEqualTo(12);
    Path nothing = folder.resolve("a/b/c");
    assertThat(Cli.run("doctor", nothing).isDone().out())
        .contains("hard links", "namespace  none", "verdict    fit");
    assertThat(folder.resolve("a")).doesNotExist();
    Cli other = Cli.run("doctor", "careless:///doctor", "--json");
    assertThat(other.out()).contains("\"freeBytes\" : null");
  }

  @Test
  void listsFitIntoATerminalAndAreWholeElsewhere() {
    for (String command : List.of("steps", "tail", "log", "producers")) {
      for (int columns : List.of(50, 80, 140)) {
        String out = Cli.runOnTerminal(columns, command, stream).isDone().out();
        assertThat(out.lines().mapToInt(Width::of)).allMatch(width -> width <= columns);
      }
      assertThat(Cli.run(command, stream).isDone().out()).doesNotContain("…");
    }
    String commitId = Cli.run("log", stream, "--json").json().get(0).path("commitId").asText();
    assertThat(Cli.run("log", stream).out()).contains(commitId);
  }

  @Test
  void sealGivesTheStreamItsEndAndMayBeRepeated() {
    Path open = folder.resolve("open");
    Cli.run("init", open, "--mesh", "1x1").isDone();
    JsonNode sealed = Cli.run("seal", open, "--json").json();
    assertThat(sealed.path("nextStep").asLong(-1)).isZero();
    Cli.run("seal", open).isDone();
    assertThat(Cli.run("read", open, "--slice", "0,0", "--json").json().path("steps").asLong(-1))
        .isZero();
  }

  @Test
  void helpGroupsTheCommandsWithALineEach() {
    String help = Cli.run("--help").isDone().out();
    assertThat(help.lines()).contains("Write and read:").anyMatch(l -> l.startsWith("  write  "));
    assertThat(Cli.run("cat", "--help").isDone().out()).startsWith("Show a step");
    assertThat(Cli.run("--version").isDone().out()).startsWith("lakestream ");
  }

  @Test
  void aProducerThatDiedIsRetiredOnce() throws Exception {
    Path open = folder.resolve("open");
    Cli.run("init", Streams.uri(open), "--mesh", "1x1").isDone();
    Streams.leaveActive(open, "worker 7");
    Cli.run("seal", open).isRefused(1, "worker 7", "retire");
    Cli.run("retire", open, "worker 7").isDone();
    Cli.run("retire", open, "worker 7").isRefused(1, "'worker 7' is not active");
    Cli.run("seal", open).isDone();
  }
}
