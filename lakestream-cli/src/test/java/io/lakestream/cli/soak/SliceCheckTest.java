// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cli.process.Mismatches;
import io.lakestream.cli.process.RankCheck;
import io.lakestream.cli.process.RankLog;
import io.lakestream.cli.process.RankStep;
import io.lakestream.model.Cell;
import io.lakestream.model.Cursor;
import io.lakestream.model.StepInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong with what ranks read, across roll-backs too, the checks notice. */
class SliceCheckTest {
  private static final Cell CELL = new Cell(0, 1);

  private final Mismatches mismatches = new Mismatches();
  private final SliceCheck check = new SliceCheck(mismatches);

  private static RankStep step(long step, String footerCrc) {
    StepInfo info =
        new StepInfo(
            step, 5 + step, "p", 1, step, Samples.offset(step), List.of("x"), 0, 9, footerCrc);
    return new RankStep(info, 9, Samples.sha256("p", step, CELL));
  }

  private static List<RankStep> steps(long from, long end) {
    List<RankStep> steps = new ArrayList<>();
    for (long step = from; step < end; step++) {
      steps.add(step(step, "0"));
    }
    return steps;
  }

  /** A rank that died behind step 7, went on at step 4, and has not come to the end. */
  private static RankLog rank(String name, List<RankStep> after) {
    Cursor saved = new Cursor(new UUID(0, 0), 8, 4, 0);
    return new RankLog(
        name,
        List.of(
            new RankLog.Life(Optional.empty(), steps(0, 8), Optional.empty()),
            new RankLog.Life(Optional.of(saved), after, Optional.empty())));
  }

  private List<String> checkOrder(List<RankStep> after) {
    new RankCheck(rank("r", after), mismatches).run(10);
    return mismatches.sentences();
  }

  @Test
  void ranksThatReadTheSameAcrossRollBacksPass() {
    check.accept(rank("a", steps(4, 10)), CELL);
    check.accept(rank("b", steps(4, 10)), CELL);

    assertThat(mismatches.sentences()).isEmpty();
    assertThat(check.steps())
        .hasSize(10)
        .isSortedAccordingTo((x, y) -> (int) (x.step() - y.step()));
  }

  @Test
  void otherBytesAreNamed() {
    List<RankStep> after = steps(4, 10);
    RankStep right = after.get(2);
    after.set(2, new RankStep(right.info(), 9, Samples.sha256("p", 7, CELL)));

    check.accept(rank("a", after), CELL);

    assertThat(mismatches.sentences())
        .containsExactly("a read other bytes in step 6 than p wrote for slice (0,1) of sample 6");
  }

  @Test
  void theSliceOfAnotherRankIsNamed() {
    check.accept(rank("a", steps(4, 10)), new Cell(0, 0));

    assertThat(mismatches.sentences().get(0)).startsWith("a read other bytes in step 0");
  }

  @Test
  void anotherBatchThanOthersReadIsNamed() {
    check.accept(rank("a", steps(4, 10)), CELL);
    List<RankStep> after = steps(4, 10);
    after.set(1, step(5, "1"));

    check.accept(rank("b", after), CELL);

    assertThat(mismatches.sentences()).hasSize(1);
    assertThat(mismatches.sentences().get(0)).startsWith("b read another step 5 than others did");
  }

  @Test
  void aStepThatIsSkippedAfterARollBackIsNamed() {
    List<RankStep> after = steps(4, 10);
    after.remove(3);

    assertThat(checkOrder(after)).contains("r lost step 7");
  }

  @Test
  void aStepThatIsReadTwiceInALifeIsNamed() {
    List<RankStep> after = steps(4, 10);
    after.add(3, after.get(2));

    assertThat(checkOrder(after)).contains("r read step 6 again, after step 6");
  }

  @Test
  void otherBytesAfterARollBackAreNamed() {
    List<RankStep> after = steps(4, 10);
    after.set(0, new RankStep(after.get(0).info(), 9, "other"));

    assertThat(checkOrder(after))
        .anyMatch(sentence -> sentence.startsWith("r read another step 4 after it was killed"));
  }
}
