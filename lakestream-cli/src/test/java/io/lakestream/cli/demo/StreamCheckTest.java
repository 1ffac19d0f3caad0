// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cli.process.Mismatches;
import io.lakestream.cli.process.RankLog;
import io.lakestream.cli.process.RankStep;
import io.lakestream.model.Cursor;
import io.lakestream.model.StepInfo;
import io.lakestream.text.DocumentCursor;
import io.lakestream.text.Documents;
import io.lakestream.text.PackedBatch;
import io.lakestream.text.TokenHash;
import java.io.IOException;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever goes wrong with a stream or with what ranks read of it, the check notices. */
class StreamCheckTest {
  @TempDir Path folder;

  private SmallStream stream;

  @BeforeEach
  void open() throws IOException {
    stream = SmallStream.in(folder);
  }

  @AfterEach
  void close() {
    stream.close();
  }

  private StreamCheck.Verdict checkTold(UnaryOperator<List<RankStep>> change)
      throws InterruptedException {
    stream.write();
    return stream.check(stream.logs(change));
  }

  private StreamCheck.Verdict checkWritten(UnaryOperator<List<PackedBatch>> change)
      throws InterruptedException {
    stream.write(stream.input(), change);
    return stream.check();
  }

  private static RankStep altered(RankStep step, long version, String offset, String sha256) {
    StepInfo info = step.info();
    StepInfo altered =
        new StepInfo(
            info.step(),
            version,
            info.producer(),
            info.epoch(),
            info.seq(),
            offset,
            info.objects(),
            info.objectOffset(),
            info.bytes(),
            info.footerCrc());
    return new RankStep(altered, step.sliceBytes(), sha256);
  }

  @Test
  void aStreamThatIsAsItShouldBePasses() throws InterruptedException {
    stream.write();

    StreamCheck.Verdict verdict = stream.check();

    assertThat(verdict.mismatches()).isEmpty();
    assertThat(verdict.isPassed()).isTrue();
    assertThat(verdict.steps()).isGreaterThan(20);
    long tokens = stream.expected().stream().mapToLong(ExpectedShare::tokens).sum();
    assertThat(verdict.tokens()).isEqualTo(tokens);
    assertThat(verdict.bytes()).isGreaterThan(4 * tokens);
  }

  @Test
  void whatIsExpectedIsTheHashOfTheDocuments() {
    ExpectedShare share = stream.expected().get(1);
    TokenHash hash = new TokenHash();
    int[] endOfText = {SmallStream.TOKENIZER.endOfText()};
    try (DocumentCursor cursor = Documents.of(stream.input()).share(1, 2).open()) {
      for (var next = cursor.next(); next.isPresent(); next = cursor.next()) {
        hash.add(IntBuffer.wrap(SmallStream.TOKENIZER.encode(next.get().text())));
        hash.add(IntBuffer.wrap(endOfText));
      }
    }

    assertThat(share.tokens()).isEqualTo(hash.tokens());
    assertThat(share.batches().get(share.batches().size() - 1).sha256()).isEqualTo(hash.hex());
  }

  @Test
  void aStepThatARankLostIsNamed() throws InterruptedException {
    StreamCheck.Verdict verdict =
        checkTold(
            steps -> {
              steps.remove(5);
              return steps;
            });

    assertThat(verdict.mismatches())
        .containsExactlyInAnyOrder(
            "rank (1,0) lost step 5", "rank (1,0) saw other descriptors than rank (0,0)");
  }

  @Test
  void stepsThatARankLostAtTheEndAreNamed() throws InterruptedException {
    StreamCheck.Verdict verdict = checkTold(steps -> steps.subList(0, steps.size() - 2));

    assertThat(verdict.mismatches())
        .anyMatch(
            mismatch ->
                mismatch.equals(
                    "rank (1,0) lost steps %d to %d"
                        .formatted(verdict.steps() - 2, verdict.steps() - 1)));
  }

  @Test
  void aStepThatARankReadTwiceIsNamed() throws InterruptedException {
    StreamCheck.Verdict verdict =
        checkTold(
            steps -> {
              steps.add(6, steps.get(5));
              return steps;
            });

    assertThat(verdict.mismatches()).contains("rank (1,0) read step 5 again, after step 5");
  }

  @Test
  void stepsThatARankReadInTheWrongOrderAreNamed() throws InterruptedException {
    StreamCheck.Verdict verdict =
        checkTold(
            steps -> {
              Collections.swap(steps, 7, 8);
              return steps;
            });

    assertThat(verdict.mismatches())
        .contains("rank (1,0) lost step 7", "rank (1,0) read step 7 again, after step 8");
  }

  @Test
  void aDescriptorThatOneRankSawDifferentlyIsNamed() throws InterruptedException {
    StreamCheck.Verdict verdict =
        checkTold(
            steps -> {
              RankStep step = steps.get(9);
              steps.set(9, altered(step, step.version() + 1, step.info().offset(), step.sha256()));
              return steps;
            });

    assertThat(verdict.mismatches())
        .contains("rank (1,0) saw other descriptors than rank (0,0)")
        .anyMatch(mismatch -> mismatch.startsWith("step 9, slice (1,0): the rank read"));
  }

  @Test
  void bytesThatOneRankSawDifferentlyAreNamed() throws InterruptedException {
    StreamCheck.Verdict verdict =
        checkTold(
            steps -> {
              RankStep step = steps.get(4);
              steps.set(4, altered(step, step.version(), step.info().offset(), "0".repeat(64)));
              return steps;
            });

    assertThat(verdict.mismatches())
        .singleElement()
        .asString()
        .startsWith("step 4, slice (1,0): the rank read");
  }

  @Test
  void tokensThatAreSwappedAreNamedByTheirStep() throws IOException, InterruptedException {
    Path other = Files.createDirectories(folder.resolve("other"));
    for (int i = 0; i < 6; i++) {
      String name = "text-" + i + ".txt";
      String text = Files.readString(stream.input().resolve(name));
      Files.writeString(
          other.resolve(name), i == 3 ? text.replace(" word 3007", " 3007 word") : text);
    }
    stream.write(other, UnaryOperator.identity());

    StreamCheck.Verdict verdict = stream.check();

    assertThat(verdict.mismatches())
        .singleElement()
        .asString()
        .matches("step \\d+ has other tokens than the text of seq \\d+ of producer-1 .*");
  }

  @Test
  void batchesInTheWrongOrderAreNamed() throws InterruptedException {
    StreamCheck.Verdict verdict =
        checkWritten(
            batches -> {
              Collections.swap(batches, 2, 3);
              return batches;
            });

    assertThat(verdict.mismatches())
        .anyMatch(mismatch -> mismatch.contains("the packer gives"))
        .anyMatch(mismatch -> mismatch.contains("other tokens than the text of seq 2"));
  }

  @Test
  void aBatchThatWasLostIsNamed() throws InterruptedException {
    StreamCheck.Verdict verdict =
        checkWritten(
            batches -> {
              batches.remove(3);
              return batches;
            });

    assertThat(verdict.mismatches())
        .anyMatch(mismatch -> mismatch.contains("other tokens than the text of seq 3"))
        .anyMatch(mismatch -> mismatch.matches("producer-1 has \\d+ batches in the stream, .*"));
  }

  @Test
  void aBatchThatWasWrittenTwiceIsNamed() throws InterruptedException {
    StreamCheck.Verdict verdict =
        checkWritten(
            batches -> {
              batches.add(4, batches.get(3));
              return batches;
            });

    assertThat(verdict.mismatches())
        .anyMatch(mismatch -> mismatch.contains("other tokens than the text of seq 4"))
        .anyMatch(mismatch -> mismatch.contains("but its share makes"));
  }

  private List<RankLog> logsWithResumption(long savedStep, List<RankStep> after) {
    List<RankLog> logs = stream.logs(UnaryOperator.identity());
    List<RankStep> told = stream.told(3);
    long version = told.get((int) savedStep - 1).version();
    RankLog.Life first = new RankLog.Life(Optional.empty(), told.subList(0, 12), Optional.empty());
    RankLog.Life second =
        new RankLog.Life(
            Optional.of(new Cursor(new UUID(0, 0), version, savedStep, 0)),
            after,
            SmallStream.done(after));
    logs.set(3, new RankLog("rank (1,1)", List.of(first, second)));
    return logs;
  }

  private List<RankStep> toldFrom(int step) {
    List<RankStep> told = stream.told(3);
    return new ArrayList<>(told.subList(step, told.size()));
  }

  @Test
  void aRankThatResumesAtItsSavedCursorPasses() throws InterruptedException {
    stream.write();

    assertThat(stream.check(logsWithResumption(8, toldFrom(8))).mismatches()).isEmpty();
  }

  @Test
  void aRankThatResumesElsewhereIsNamed() throws InterruptedException {
    stream.write();

    assertThat(stream.check(logsWithResumption(8, toldFrom(10))).mismatches())
        .contains("rank (1,1) resumed at step 10, its saved cursor was step 8");
    assertThat(stream.check(logsWithResumption(8, toldFrom(7))).mismatches())
        .contains("rank (1,1) resumed at step 7, its saved cursor was step 8");
  }

  @Test
  void aStepThatIsAnotherOneAfterAKillIsNamed() throws InterruptedException {
    stream.write();
    List<RankStep> after = toldFrom(8);
    RankStep step = after.get(1);
    after.set(1, altered(step, step.version(), "0:0", step.sha256()));

    assertThat(stream.check(logsWithResumption(8, after)).mismatches())
        .anyMatch(mismatch -> mismatch.startsWith("rank (1,1) read another step 9 after"));
  }

  @Test
  void aRankThatNeverCameToTheEndIsNamed() throws InterruptedException {
    stream.write();
    List<RankLog> logs = stream.logs(UnaryOperator.identity());
    logs.set(
        0,
        new RankLog(
            "rank (0,0)",
            List.of(new RankLog.Life(Optional.empty(), stream.told(0), Optional.empty()))));

    assertThat(stream.check(logs).mismatches())
        .containsExactly("rank (0,0) did not come to the end of the stream");
  }

  @Test
  void moreMismatchesThanAnybodyReadsAreCounted() throws InterruptedException {
    StreamCheck.Verdict verdict =
        checkTold(
            steps ->
                new ArrayList<>(
                    steps.stream()
                        .map(step -> altered(step, step.version(), "0:0", step.sha256()))
                        .toList()));

    assertThat(verdict.mismatches()).hasSize(Mismatches.SHOWN_MAX + 1);
    assertThat(verdict.mismatches().get(Mismatches.SHOWN_MAX)).matches("and \\d+ more");
  }
}
