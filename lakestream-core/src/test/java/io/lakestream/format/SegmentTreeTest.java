// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.format.SegmentTree.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A segment tree finds every step that is not trimmed, however it came to its shape. */
class SegmentTreeTest {
  private static final int STEPS = FormatLimits.SEGMENT_STEPS;
  private static final int FAN_OUT = FormatLimits.FAN_OUT;

  @Test
  void anEmptyTreeHasNoStep() {
    assertThat(SegmentTree.EMPTY.endStep()).isZero();
    assertThat(SegmentTree.EMPTY.locate(0)).isEmpty();
    assertThat(SegmentTree.EMPTY.references()).isEmpty();
    assertThat(SegmentTree.EMPTY.foldable(1)).isEmpty();
    assertThat(SegmentTree.EMPTY.trimmedTo(1_000_000)).isEqualTo(SegmentTree.EMPTY);
  }

  @Test
  void aLevelIsThirtyTwoTimesAsWideAsTheOneBelow() {
    assertThat(SegmentTree.width(0)).isEqualTo(128);
    assertThat(SegmentTree.width(1)).isEqualTo(4_096);
    assertThat(SegmentTree.width(3)).isEqualTo(4_194_304);
  }

  @Test
  void aReferenceNamesItsStepsAndItsKey() {
    Reference reference = new Reference(1, 2, new Id128(1, 2));
    assertThat(reference.firstStep()).isEqualTo(8_192);
    assertThat(reference.lastStep()).isEqualTo(12_287);
    assertThat(reference.key())
        .isEqualTo(
            "segment/00000000000000008192-00000000000000012287-00000000000000010000000000000002");
  }

  @Test
  void aSegmentGoesWhereTheTreeEndsOnly() {
    SegmentTree tree = SegmentTree.EMPTY.withSegment(0, GrownTree.hash(0, 0));
    assertThat(tree.endStep()).isEqualTo(STEPS);
    assertThatThrownBy(() -> tree.withSegment(0, GrownTree.hash(0, 0)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("a segment of step 0 behind a tree that ends at 128");
    assertThatThrownBy(() -> tree.withSegment(2 * STEPS, GrownTree.hash(0, 2)))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> SegmentTree.EMPTY.withSegment(5, GrownTree.hash(0, 0)))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void thirtyTwoSegmentsFoldIntoANode() {
    GrownTree grown = new GrownTree(0);
    grown.append(FAN_OUT - 1);
    assertThat(grown.tree().foldable(1)).isEmpty();
    grown.append(1);
    IndexNode node = grown.tree().foldable(1).orElseThrow();
    assertThat(node.index()).isZero();
    assertThat(node.childHashes()).hasSize(FAN_OUT);
    assertThat(node.childAt(4_095)).isEqualTo(new Reference(0, 31, GrownTree.hash(0, 31)));
    SegmentTree folded = grown.tree().fold(node, GrownTree.hash(1, 0));
    assertThat(folded.references()).containsExactly(new Reference(1, 0, GrownTree.hash(1, 0)));
    assertThat(folded.endStep()).isEqualTo(4_096);
    assertThat(folded.foldable(0)).isEmpty();
    assertThat(folded.foldable(3)).isEmpty();
  }

  @Test
  void tenMillionStepsNeedThreeLevelsAboveTheSegments() {
    GrownTree grown = new GrownTree(0);
    grown.appendFolding(10_000_000 / STEPS);
    assertThat(grown.tree().levels()).hasSize(4);
    assertThat(grown.tree().references()).hasSizeLessThan(4 * FAN_OUT);
    grown.checkEveryStep(0, 1_013);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyLiveStepIsFoundWhateverTheOrderOfAppendingFoldingAndTrimming(long seed) {
    Random random = new Random(seed);
    long start = random.nextInt(3) == 0 ? 0 : random.nextInt(5_000);
    GrownTree grown = new GrownTree(start);
    long firstStep = start * STEPS;
    for (int round = 0; round < 400; round++) {
      switch (random.nextInt(4)) {
        case 0 -> grown.append(1 + random.nextInt(40));
        case 1 -> grown.appendFolding(random.nextInt(600));
        case 2 -> grown.fold(1 + random.nextInt(3));
        default -> {
          long length = grown.tree().endStep() - firstStep;
          firstStep += length <= 0 ? 0 : (long) (length * Math.pow(random.nextDouble(), 3));
          grown.trim(firstStep + (random.nextInt(10) == 0 ? 300 : 0));
        }
      }
      firstStep = Math.max(firstStep, grown.firstStep());
      grown.checkSomeSteps(firstStep, random, "seed %d round %d".formatted(seed, round));
    }
  }

  @Test
  void referencesCountFromTheFirstOfTheirLevel() {
    GrownTree grown = new GrownTree(0);
    grown.append(FAN_OUT + 2);
    grown.fold(1);
    assertThat(grown.tree().references())
        .containsExactly(
            new Reference(0, 32, GrownTree.hash(0, 32)),
            new Reference(0, 33, GrownTree.hash(0, 33)),
            new Reference(1, 0, GrownTree.hash(1, 0)));
    assertThat(grown.tree().firstStep()).isZero();
    grown.trim(32 * STEPS);
    assertThat(grown.tree().firstStep()).isEqualTo(32 * STEPS);
    assertThat(grown.tree().levels()).hasSize(1);
    SegmentTree emptied = grown.tree().trimmedTo(Long.MAX_VALUE);
    assertThat(emptied.firstStep()).isEqualTo(34 * STEPS).isEqualTo(emptied.endStep());
  }

  @Test
  void trimmingIntoTheTailLeavesATreeThatGoesOn() {
    GrownTree grown = new GrownTree(0);
    grown.append(63);
    grown.trim(66 * STEPS);
    assertThat(grown.tree().references()).isEmpty();
    assertThat(grown.tree().endStep()).isEqualTo(63 * STEPS);
    grown.appendFolding(200);
    grown.checkEveryStep(66 * STEPS, STEPS);
  }

  @Test
  void trimmingACompleteRowThatWasNotFoldedLeavesNoGap() {
    GrownTree grown = new GrownTree(0);
    grown.appendFolding(3 * FAN_OUT);
    grown.append(FAN_OUT + 8);
    grown.trim(130 * STEPS);
    grown.appendFolding(100);
    grown.checkEveryStep(130 * STEPS, STEPS);
  }

  @Test
  void trimmingBeforeTheFirstNodeLeavesHigherLevelsThatGoOn() {
    GrownTree grown = new GrownTree(0);
    grown.append(40);
    grown.trim(33 * STEPS);
    grown.appendFolding(3 * FAN_OUT * FAN_OUT);
    assertThat(grown.tree().levels()).hasSize(3);
    grown.checkEveryStep(33 * STEPS, STEPS);
  }

  /** A tree with the nodes that were written for it. */
  private static final class GrownTree {
    private final List<IndexNode> written = new ArrayList<>();
    private long nextSegment;
    private long trimmed;
    private SegmentTree tree = SegmentTree.EMPTY;

    GrownTree(long firstSegment) {
      this.nextSegment = firstSegment;
    }

    SegmentTree tree() {
      return tree;
    }

    long firstStep() {
      return trimmed;
    }

    /** The hash of a segment tells its place; that of a node, where it is in the list. */
    static Id128 hash(int level, long index) {
      return new Id128(level, index);
    }

    void append(int segments) {
      for (int i = 0; i < segments; i++) {
        tree = tree.withSegment(nextSegment * STEPS, hash(0, nextSegment));
        nextSegment++;
      }
    }

    void appendFolding(int segments) {
      for (int i = 0; i < segments; i++) {
        append(1);
        for (int level = 1; level <= tree.levels().size(); level++) {
          fold(level);
        }
      }
    }

    void fold(int level) {
      Optional<IndexNode> node = tree.foldable(level);
      if (node.isPresent()) {
        written.add(node.get());
        tree = tree.fold(node.get(), hash(level, written.size() - 1));
      }
    }

    void trim(long firstStep) {
      tree = tree.trimmedTo(firstStep);
      trimmed = Math.max(trimmed, firstStep);
    }

    void checkEveryStep(long firstStep, int stride) {
      for (long step = firstStep; step < tree.endStep(); step += stride) {
        check(step, "step " + step);
      }
      check(tree.endStep() - 1, "the last step");
      assertThat(tree.locate(tree.endStep())).isEmpty();
    }

    void checkSomeSteps(long firstStep, Random random, String context) {
      long length = tree.endStep() - firstStep;
      if (length > 0) {
        check(firstStep, context);
        check(tree.endStep() - 1, context);
        for (int i = 0; i < 20; i++) {
          check(firstStep + (long) (random.nextDouble() * length), context);
        }
      }
    }

    private void check(long step, String context) {
      Reference reference =
          tree.locate(step).orElseThrow(() -> new AssertionError(context + ": no " + step));
      while (reference.level() > 0) {
        assertThat(reference.hash().high()).as(context).isEqualTo(reference.level());
        IndexNode node = written.get((int) reference.hash().low());
        assertThat(node.index()).as(context).isEqualTo(reference.index());
        assertThat(node.level()).as(context).isEqualTo(reference.level());
        reference = node.childAt(step);
      }
      assertThat(reference.hash()).as(context).isEqualTo(hash(0, step / STEPS));
      assertThat(reference.index()).as(context).isEqualTo(step / STEPS);
    }
  }
}
