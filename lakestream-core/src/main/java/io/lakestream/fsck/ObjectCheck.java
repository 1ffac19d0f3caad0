// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.format.Descriptor;
import io.lakestream.format.ImageLocation.ObjectRange;
import io.lakestream.format.Manifest;
import io.lakestream.format.SliceIndex;
import io.lakestream.format.StreamTables.ForkSource;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.CheckReport.Invariant;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The objects that hold batches: each that a step refers to is there and long enough, by a listing
 * that is made after the head was read, so that it has all that the head refers to. Those of a
 * namespace that this one was forked from are looked at one by one. An object that several steps
 * share is reported once.
 */
final class ObjectCheck {
  private final ManifestLog log;
  private final Findings findings;
  private final Manifest head;
  private final Listed data;
  private String lastKey = "";
  private long lastBytes;
  private final TreeMap<String, Lack> lacks = new TreeMap<>();

  /** Steps that need more of an object than there is in its store. */
  private record Lack(ObjectStore store, long firstStep, long lastStep, long needed) {
    Lack with(Lack other) {
      return new Lack(store, firstStep, other.lastStep, Math.max(needed, other.needed));
    }
  }

  ObjectCheck(ManifestLog log, Findings findings, Manifest head, Listed data) {
    this.log = log;
    this.findings = findings;
    this.head = head;
    this.data = data;
  }

  /**
   * A step.
   *
   * @return whether its objects are there
   */
  boolean step(String holder, long step, Descriptor descriptor) throws IOException {
    if (head.tables().schema(descriptor.schemaId()).isEmpty()) {
      findings.problem(
          Subject.step(Invariant.I5, holder, step),
          "has step %d with schema %016x, which version %d lacks"
              .formatted(step, descriptor.schemaId(), head.version()));
    }
    ObjectStore store = log.home(step, head.tables().sources()).store();
    SliceIndex.Range whole = new SliceIndex.Range(0, descriptor.image().length());
    boolean isThere = true;
    for (ObjectRange range : descriptor.locate(whole)) {
      long needed = range.offset() + range.length();
      long bytes =
          step < head.tables().ownFrom() ? bytes(store, range.key()) : data.refer(range.key());
      if (bytes < needed) {
        lacks.merge(range.key(), new Lack(store, step, step, needed), Lack::with);
        isThere = false;
      }
    }
    long unused = data.refer(descriptor.provenanceKey());
    return isThere;
  }

  /** The length of an object of a namespace that this one was forked from, which is not listed. */
  private long bytes(ObjectStore store, String key) throws IOException {
    if (!key.equals(lastKey)) {
      lastBytes = store.size(key).orElse(0);
      lastKey = key;
    }
    return lastBytes;
  }

  /** Where an object is looked for, if that is not in the namespace itself. */
  private String place(Lack lack) {
    return ForkSource.of(lack.firstStep(), head.tables().sources())
        .map(source -> " at " + source.uri())
        .orElse("");
  }

  /** Reports what is missing or too short. */
  void finish() throws IOException {
    for (Map.Entry<String, Lack> entry : lacks.entrySet()) {
      Lack lack = entry.getValue();
      OptionalLong length = lack.store().size(entry.getKey());
      if (length.orElse(0) < lack.needed()) {
        Subject subject = Subject.step(Invariant.I5, entry.getKey(), lack.lastStep());
        String steps =
            lack.firstStep() == lack.lastStep()
                ? "step " + lack.firstStep() + " refers"
                : "steps from %d to %d refer".formatted(lack.firstStep(), lack.lastStep());
        findings.problem(
            subject,
            length.isPresent()
                ? "has %d bytes%s, though %s to %d; restore it"
                    .formatted(length.getAsLong(), place(lack), steps, lack.needed())
                : "is missing%s, though %s to it; restore it".formatted(place(lack), steps));
      }
    }
  }
}
