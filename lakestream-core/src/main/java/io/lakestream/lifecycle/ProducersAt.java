// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.commit.Archives;
import io.lakestream.format.Descriptor;
import io.lakestream.format.Manifest;
import io.lakestream.format.ProducerEntry;
import io.lakestream.format.ProducerTable;
import io.lakestream.manifest.CheckedHead;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.StepLocator;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.StepReclaimed;
import io.lakestream.policy.ForkSettings.Producers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Where the producers of a stream stood when it had only the steps below one. A manifest says where
 * they stand now; a producer that published since stood behind its last batch below the step. If
 * that is reclaimed, the number of its next batch is known, but not the offset.
 */
final class ProducersAt {
  private final CheckedHead<Manifest> head;
  private final StepLocator locator;
  private final long at;

  /** Those who committed since the step became one. */
  private final Map<String, ProducerEntry> moved = new TreeMap<>();

  /** Those of them who published before the step and behind it, without offsets. */
  private final NavigableMap<String, ProducerEntry> begun = new TreeMap<>();

  private final List<ProducerEntry> found = new ArrayList<>();

  private ProducersAt(ManifestLog log, CheckedHead<Manifest> head, long at) {
    this.head = head;
    this.locator = StepLocator.at(log, head);
    this.at = at;
  }

  /**
   * The producers that published a batch below a step of the head, as they stood then; without
   * their offsets if they shall begin anew.
   *
   * @throws InvalidRequest if the offset of one is wanted and not known
   */
  static List<ProducerEntry> find(
      ManifestLog log, CheckedHead<Manifest> head, long at, Producers wanted) throws IOException {
    Map<String, ProducerEntry> entries = entries(log, head.manifest().producers());
    ProducersAt producers = new ProducersAt(log, head, at);
    producers.sort(entries);
    producers.lookAhead();
    if (wanted == Producers.RESUMED) {
      producers.lookBack();
      producers.requireOffsets();
      return producers.found;
    }
    producers.found.addAll(producers.begun.values());
    return producers.found.stream().map(ProducersAt::anew).toList();
  }

  private static Map<String, ProducerEntry> entries(ManifestLog log, ProducerTable table)
      throws IOException {
    Map<String, ProducerEntry> entries = new TreeMap<>();
    new Archives(log).all(table).forEach(entry -> entries.put(entry.id(), entry));
    table.retired().forEach(entry -> entries.put(entry.id(), entry));
    table.active().forEach(entry -> entries.put(entry.id(), entry));
    entries.values().removeIf(entry -> entry.nextSeq() == 0);
    return entries;
  }

  /** Who committed nothing since the step became one stands where it stood. */
  private void sort(Map<String, ProducerEntry> entries) throws IOException {
    boolean isEnd = at == head.manifest().header().nextStep();
    long version = isEnd ? Long.MAX_VALUE : locator.descriptor(at).version();
    for (ProducerEntry entry : entries.values()) {
      if (entry.lastVersion() < version) {
        found.add(entry);
      } else {
        moved.put(entry.id(), entry);
      }
    }
  }

  /** Who publishes his first batch at the step or behind it was not there yet. */
  private void lookAhead() throws IOException {
    long nextStep = head.manifest().header().nextStep();
    for (long step = at; step < nextStep && !moved.isEmpty(); step++) {
      Descriptor next = locator.descriptor(step);
      ProducerEntry entry = moved.remove(next.producer());
      if (entry != null && next.seq() > 0) {
        begun.put(entry.id(), before(next, entry));
      }
    }
    found.addAll(moved.values());
  }

  private void lookBack() throws IOException {
    try {
      for (long step = at - 1; step >= 0 && !begun.isEmpty(); step--) {
        Descriptor last = locator.descriptor(step);
        Optional.ofNullable(begun.remove(last.producer()))
            .ifPresent(entry -> found.add(behind(last, entry)));
      }
    } catch (StepReclaimed e) {
      // The rest of the history is gone.
    }
  }

  private static ProducerEntry behind(Descriptor last, ProducerEntry entry) {
    return new ProducerEntry(
        entry.id(),
        last.epoch(),
        last.seq() + 1,
        Optional.of(last.offset()),
        last.version(),
        entry.lastCommitId(),
        entry.extra());
  }

  private static ProducerEntry anew(ProducerEntry entry) {
    return new ProducerEntry(
        entry.id(),
        entry.epoch(),
        entry.nextSeq(),
        Optional.empty(),
        entry.lastVersion(),
        entry.lastCommitId(),
        entry.extra());
  }

  private static ProducerEntry before(Descriptor next, ProducerEntry entry) {
    return new ProducerEntry(
        entry.id(),
        next.epoch(),
        next.seq(),
        Optional.empty(),
        next.version(),
        entry.lastCommitId(),
        entry.extra());
  }

  private void requireOffsets() {
    if (!begun.isEmpty()) {
      throw new InvalidRequest(
          ("it is not known where producer '%s' stood at step %d, since its batches before are"
                  + " reclaimed (%d such producers): fork at a later step, or with new producers")
              .formatted(begun.firstKey(), at, begun.size()));
    }
  }
}
