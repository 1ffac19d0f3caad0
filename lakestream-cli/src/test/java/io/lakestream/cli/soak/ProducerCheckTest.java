// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cli.process.Mismatches;
import io.lakestream.cli.soak.ProduceCommand.Opened;
import io.lakestream.cli.soak.ProducerAccount.Acknowledged;
import io.lakestream.model.StepInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever goes wrong with a producer's samples, the check notices. */
class ProducerCheckTest {
  @TempDir Path folder;

  private final List<ProducerAccount> lives =
      new ArrayList<>(List.of(life(3, 0, false), life(9, 4, false)));

  private static ProducerAccount life(long epoch, long seq, boolean isFenced) {
    Opened opening = new Opened(epoch, seq, seq == 0 ? null : Long.toString(seq));
    List<Acknowledged> told = List.of(new Acknowledged(seq, 20 + seq));
    return new ProducerAccount(Optional.of(opening), told, isFenced);
  }

  private static StepInfo step(long seq, long epoch) {
    return step(seq, epoch, Samples.offset(seq), 20 + seq);
  }

  private static StepInfo step(long seq, long epoch, String offset, long version) {
    return new StepInfo(100 + seq, version, "p", epoch, seq, offset, List.of("x"), 0, 10, "0");
  }

  /** Four samples of the first life, four of the second. */
  private static List<StepInfo> steps() {
    List<StepInfo> steps = new ArrayList<>();
    for (long seq = 0; seq < 8; seq++) {
      steps.add(step(seq, seq < 4 ? 3 : 9));
    }
    return steps;
  }

  private List<String> check(UnaryOperator<List<StepInfo>> change) {
    return check(change, 8);
  }

  private List<String> check(UnaryOperator<List<StepInfo>> change, long recorded) {
    Mismatches mismatches = new Mismatches();
    ProducerCheck check = new ProducerCheck("p", lives, mismatches);
    change.apply(steps()).forEach(check::accept);
    check.finish(Optional.of(recorded));
    return mismatches.sentences();
  }

  @Test
  void aProducerWhoseSamplesAreThereOncePasses() {
    assertThat(check(UnaryOperator.identity())).isEmpty();
  }

  @Test
  void aLostSampleIsNamed() {
    assertThat(
            check(
                steps -> {
                  steps.remove(2);
                  return steps;
                }))
        .containsExactly("step 103 is p's sample 3, but sample 2 should come next: lost");
  }

  @Test
  void aSampleThatIsThereTwiceIsNamed() {
    assertThat(
            check(
                steps -> {
                  steps.add(3, steps.get(2));
                  return steps;
                }))
        .containsExactly("step 102 is p's sample 2 again");
  }

  @Test
  void samplesInTheWrongOrderAreNamed() {
    assertThat(
            check(
                steps -> {
                  Collections.swap(steps, 1, 2);
                  return steps;
                }))
        .contains("step 101 is p's sample 1 again");
  }

  @Test
  void anAcknowledgedSampleThatIsInNoStepIsNamed() {
    lives.set(1, life(9, 8, false));
    assertThat(check(steps -> steps.subList(0, 4), 4))
        .containsExactly("p was told that sample 8 is published, which is in no step: lost");
  }

  @Test
  void anAcknowledgementByAVersionBeforeTheSampleIsNamed() {
    assertThat(
            check(
                steps -> {
                  steps.set(0, step(0, 3, "1", 50));
                  return steps;
                }))
        .containsExactly("p was told that version 20 has sample 0, which came with version 50");
  }

  @Test
  void anOffsetOfAnotherSampleIsNamed() {
    assertThat(
            check(
                steps -> {
                  steps.set(5, step(5, 9, "5", 25));
                  return steps;
                }))
        .containsExactly("step 105, p's batch 5, has offset 5 and not 6");
  }

  @Test
  void anEpochThatFallsIsNamed() {
    assertThat(
            check(
                steps -> {
                  steps.set(6, step(6, 3));
                  return steps;
                }))
        .containsExactly("step 106 is of p's epoch 3, after one of epoch 9");
  }

  @Test
  void aStepOfAnEpochThatNobodyOpenedIsNamed() {
    lives.remove(1);
    assertThat(check(UnaryOperator.identity()))
        .containsExactly("step 104 is of p's epoch 9, of which no life told");
  }

  @Test
  void aLifeThatDidNotBeginWhereItWasToldToIsNamed() {
    lives.set(1, life(9, 5, false));
    assertThat(check(UnaryOperator.identity()))
        .containsExactly("step 104 is p's sample 4, but epoch 9 was to begin at 5");
  }

  @Test
  void onlyAnotherOpeningFences() {
    lives.set(0, life(3, 0, true));
    assertThat(check(UnaryOperator.identity())).isEmpty();
    lives.set(1, life(9, 4, true));
    assertThat(check(UnaryOperator.identity()))
        .containsExactly("p was fenced in epoch 9, though nobody opened it later");
  }

  @Test
  void aStreamThatRecordsAnotherNumberIsNamed() {
    assertThat(check(UnaryOperator.identity(), 9))
        .containsExactly("p has 8 batches in the stream, which records 9");
  }

  @Test
  void anAccountIsReadFromWhatALifeTold() throws IOException {
    Path events =
        Files.writeString(
            folder.resolve("events"),
            """
            {"opened":9,"recoveredSeq":4,"recoveredOffset":"4"}
            {"seq":4,"version":24}
            {"seq":5,"ver\
            """);
    assertThat(ProducerAccount.read(events, false)).isEqualTo(life(9, 4, false));
  }
}
