// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import io.lakestream.cli.demo.Child.Kind;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Who is killed and when: producers and ranks by turns, at random moments in the midst of the run.
 * A seed decides the moments and, as far as the processes are as far as they were, the victims.
 */
final class KillPlan {
  /** Shares of the stream's steps: before the first of them everybody is still starting. */
  private static final double EARLIEST = 0.1;

  /** After this a victim that starts again might find nothing left to do. */
  private static final double LATEST = 0.8;

  private static final int DELAY_MILLIS_MAX = 400;

  private final SplittableRandom random;
  private final ArrayDeque<Double> moments = new ArrayDeque<>();
  private Kind next = Kind.PRODUCER;

  KillPlan(int kills, long seed) {
    this.random = new SplittableRandom(seed);
    random.doubles(kills, EARLIEST, LATEST).sorted().forEach(moments::add);
  }

  /**
   * Whom to kill now, if it is time and there is somebody in the midst of his work.
   *
   * @param share how much of the stream is written, from 0 to 1
   */
  Optional<Child> victim(double share, List<Child> children) {
    if (moments.isEmpty() || share < moments.element()) {
      return Optional.empty();
    }
    List<Child> turn = children.stream().filter(child -> child.kind() == next).toList();
    boolean isTooLate = turn.stream().allMatch(Child::hasFinished);
    List<Child> candidates =
        (isTooLate ? children : turn).stream().filter(Child::isMidway).toList();
    return candidates.isEmpty()
        ? Optional.empty()
        : Optional.of(candidates.get(random.nextInt(candidates.size())));
  }

  /** How long to let the victim go on, so that it is struck at any point of its work. */
  long delayMillis() {
    return random.nextInt(DELAY_MILLIS_MAX);
  }

  /** Takes note that the victim was killed: it is the next one's turn. */
  void struck() {
    moments.remove();
    next = next == Kind.PRODUCER ? Kind.RANK : Kind.PRODUCER;
  }
}
