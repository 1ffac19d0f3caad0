// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.format.Descriptor;
import io.lakestream.format.Manifest;
import io.lakestream.format.ProducerEntry;
import io.lakestream.model.CheckReport.Invariant;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The batches of each producer along the steps: contiguous, in epochs that never fall, and as many
 * as the head's producer table says.
 */
final class ProducerCheck {
  private final Findings findings;
  private final Manifest head;
  private final Map<String, Reached> producers = new TreeMap<>();
  private long lastVersion;

  /** How often steps could not be read so far: behind them a producer may have gone on. */
  private int holes;

  /**
   * How far a producer came.
   *
   * @param step its last step
   * @param last that step's descriptor
   * @param holes what {@link ProducerCheck#holes} was there
   */
  private record Reached(long step, Descriptor last, int holes) {
    long nextSeq() {
      return last.seq() + 1;
    }
  }

  ProducerCheck(Findings findings, Manifest head) {
    this.findings = findings;
    this.head = head;
  }

  /** The next step that can be read. */
  void step(String holder, long step, Descriptor descriptor) throws IOException {
    Optional<Reached> before = Optional.ofNullable(producers.get(descriptor.producer()));
    checkSeq(holder, step, descriptor, before);
    checkEpoch(holder, step, descriptor, before);
    if (descriptor.version() < lastVersion || descriptor.version() > head.version()) {
      findings.problem(
          Subject.step(Invariant.I4, holder, step),
          "says that version %d published step %d, behind a step of version %d"
              .formatted(descriptor.version(), step, lastVersion));
    }
    lastVersion = Math.max(lastVersion, descriptor.version());
    if (before.isEmpty() || descriptor.seq() >= before.get().nextSeq()) {
      producers.put(descriptor.producer(), new Reached(step, descriptor, holes));
    }
  }

  /** Steps that cannot be read. */
  void unreadable() {
    holes++;
  }

  private void checkSeq(String holder, long step, Descriptor descriptor, Optional<Reached> before)
      throws IOException {
    boolean isFromStart = head.header().firstStep() == 0 && head.tables().sources().isEmpty();
    long seen = before.map(Reached::holes).orElse(isFromStart ? 0 : -1);
    long expected = before.map(Reached::nextSeq).orElse(0L);
    if (descriptor.seq() < expected) {
      findings.problem(
          Subject.step(Invariant.I2, holder, step),
          "has batch %d of producer '%s' as step %d, though its batch %d is step %d already"
              .formatted(
                  descriptor.seq(),
                  descriptor.producer(),
                  step,
                  expected - 1,
                  before.orElseThrow().step()));
    } else if (descriptor.seq() > expected && seen == holes) {
      findings.problem(
          Subject.step(Invariant.I3, holder, step),
          "has batch %d of producer '%s' as step %d, though batch %d comes next"
              .formatted(descriptor.seq(), descriptor.producer(), step, expected));
    }
  }

  private void checkEpoch(String holder, long step, Descriptor descriptor, Optional<Reached> before)
      throws IOException {
    long least = before.map(reached -> reached.last().epoch()).orElse(0L);
    if (descriptor.epoch() < least || descriptor.epoch() >= descriptor.version()) {
      findings.problem(
          Subject.step(Invariant.I3, holder, step),
          "has step %d of producer '%s' in epoch %d, behind one in epoch %d and by version %d"
              .formatted(
                  step, descriptor.producer(), descriptor.epoch(), least, descriptor.version()));
    }
  }

  /** Compares what was seen with what the head says of the producers, archived ones too. */
  void finish(Map<String, ProducerEntry> entries, boolean isTableWhole) throws IOException {
    for (Map.Entry<String, Reached> producer : producers.entrySet()) {
      ProducerEntry entry = entries.get(producer.getKey());
      Reached reached = producer.getValue();
      if (entry != null) {
        compare(reached, entry);
      } else if (isTableWhole) {
        report(
            "does not know producer '%s', whose batch %d is step %d"
                .formatted(producer.getKey(), reached.last().seq(), reached.step()));
      }
    }
    boolean isFromStart = head.header().firstStep() == 0 && head.tables().sources().isEmpty();
    for (ProducerEntry entry : entries.values()) {
      if (isFromStart && holes == 0 && entry.nextSeq() > 0 && !producers.containsKey(entry.id())) {
        report(
            "counts %d batches of producer '%s', though none is a step"
                .formatted(entry.nextSeq(), entry.id()));
      }
    }
  }

  private void compare(Reached reached, ProducerEntry entry) throws IOException {
    boolean isAll = reached.holes() == holes;
    if (isAll ? entry.nextSeq() != reached.nextSeq() : entry.nextSeq() < reached.nextSeq()) {
      report(
          "counts %d batches of producer '%s', though the last of its steps, %d, has batch %d"
              .formatted(entry.nextSeq(), entry.id(), reached.step(), reached.last().seq()));
    } else if (isAll
        && !isNew(reached, entry)
        && !entry.offset().equals(Optional.of(reached.last().offset()))) {
      report(
          "says that producer '%s' is at offset '%s', though its last step, %d, ends at '%s'"
              .formatted(
                  entry.id(), entry.offset().orElse(""), reached.step(), reached.last().offset()));
    }
    if (entry.epoch() < reached.last().epoch()) {
      findings.problem(
          Subject.version(Invariant.I3, head.version()),
          "has producer '%s' in epoch %d, though step %d is of its epoch %d"
              .formatted(entry.id(), entry.epoch(), reached.step(), reached.last().epoch()));
    }
  }

  /** A fork may make the producers of its source begin anew. */
  private boolean isNew(Reached reached, ProducerEntry entry) {
    return entry.offset().isEmpty() && reached.step() < head.tables().ownFrom();
  }

  private void report(String what) throws IOException {
    findings.problem(Subject.version(Invariant.I2, head.version()), what);
  }
}
