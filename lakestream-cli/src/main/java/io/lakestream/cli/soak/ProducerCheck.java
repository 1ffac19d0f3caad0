// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.cli.Units;
import io.lakestream.cli.process.Mismatches;
import io.lakestream.model.StepInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checks one producer's batches along the steps: each of its samples once and in order over all its
 * lives, epochs that never fall and were told by the life that wrote, each life beginning where it
 * was told to, all that was acknowledged there, and no life unaware of its successor.
 */
final class ProducerCheck {
  private final String producer;
  private final List<ProducerAccount> lives;
  private final Map<Long, ProduceCommand.Opened> openings = new TreeMap<>();
  private final List<Long> versions = new ArrayList<>();
  private final Mismatches mismatches;
  private long epoch;

  ProducerCheck(String producer, List<ProducerAccount> lives, Mismatches mismatches) {
    this.producer = producer;
    this.lives = List.copyOf(lives);
    this.mismatches = mismatches;
    for (ProducerAccount life : lives) {
      life.opening().ifPresent(opening -> openings.put(opening.opened(), opening));
    }
  }

  /** Takes the producer's next step. */
  void accept(StepInfo step) {
    checkSeq(step);
    if (step.epoch() < epoch) {
      mismatches.add(
          "step %d is of %s's epoch %d, after one of epoch %d"
              .formatted(step.step(), producer, step.epoch(), epoch));
    } else if (step.epoch() > epoch) {
      checkOpening(step);
    }
    epoch = Math.max(epoch, step.epoch());
  }

  private void checkSeq(StepInfo step) {
    long expected = versions.size();
    if (step.seq() < expected) {
      mismatches.add(
          "step %d is %s's sample %d again".formatted(step.step(), producer, step.seq()));
      return;
    }
    if (step.seq() > expected) {
      mismatches.add(
          "step %d is %s's sample %d, but sample %d should come next: lost"
              .formatted(step.step(), producer, step.seq(), expected));
    }
    if (!step.offset().equals(Samples.offset(step.seq()))) {
      mismatches.add(
          "step %d, %s's batch %d, has offset %s and not %s"
              .formatted(
                  step.step(), producer, step.seq(), step.offset(), Samples.offset(step.seq())));
    }
    while (versions.size() < step.seq()) {
      versions.add(Long.MAX_VALUE); // Reported; what follows is judged for itself.
    }
    versions.add(step.version());
  }

  private void checkOpening(StepInfo step) {
    ProduceCommand.Opened opening = openings.get(step.epoch());
    if (opening == null) {
      mismatches.add(
          "step %d is of %s's epoch %d, of which no life told"
              .formatted(step.step(), producer, step.epoch()));
    } else if (opening.recoveredSeq() != step.seq()) {
      mismatches.add(
          "step %d is %s's sample %d, but epoch %d was to begin at %d"
              .formatted(step.step(), producer, step.seq(), step.epoch(), opening.recoveredSeq()));
    }
  }

  /**
   * Tells that the stream has ended.
   *
   * @param recorded how many batches the stream says that the producer has; empty if it does not
   *     know it
   */
  void finish(Optional<Long> recorded) {
    long batches = versions.size();
    if (recorded.orElse(0L) != batches) {
      mismatches.add(
          "%s has %s in the stream, which records %d"
              .formatted(producer, Units.count(batches, "batch"), recorded.orElse(0L)));
    }
    lives.forEach(life -> life.published().forEach(this::checkAcknowledged));
    lives.forEach(this::checkFenced);
  }

  private void checkAcknowledged(ProducerAccount.Acknowledged batch) {
    if (batch.seq() < 0 || batch.seq() >= versions.size()) {
      mismatches.add(
          "%s was told that sample %d is published, which is in no step: lost"
              .formatted(producer, batch.seq()));
    } else if (versions.get((int) batch.seq()) > batch.version()) {
      mismatches.add(
          "%s was told that version %d has sample %d, which came with version %d"
              .formatted(producer, batch.version(), batch.seq(), versions.get((int) batch.seq())));
    }
  }

  private void checkFenced(ProducerAccount life) {
    long own = life.opening().map(ProduceCommand.Opened::opened).orElse(0L);
    if (life.isFenced() && lives.stream().allMatch(other -> epochOf(other) <= own)) {
      mismatches.add(
          "%s was fenced in epoch %d, though nobody opened it later".formatted(producer, own));
    }
  }

  private static long epochOf(ProducerAccount life) {
    return life.opening().map(ProduceCommand.Opened::opened).orElse(0L);
  }

  /** How many batches were acknowledged, over all lives. */
  long acknowledged() {
    return lives.stream().mapToLong(life -> life.published().size()).sum();
  }
}
