// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import io.lakestream.format.Names.DataName;
import io.lakestream.format.ProducerEntry;
import io.lakestream.manifest.CheckedHead;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.StepLocator;
import io.lakestream.model.StepReclaimed;
import io.lakestream.store.Listings;
import io.lakestream.store.ObjectEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds the objects of batches that no manifest refers to nor ever will: what producers left that
 * crashed between an upload and its commit, and bundles of which only a part was published.
 *
 * <p>Judged by epochs and order, not by clocks. All data is listed <i>first</i>, and one checked
 * head is read <i>after</i>. A listed object that the head does not refer to can still be published
 * only by a producer whose term the head shows, and only if the object's last batch is not
 * published yet. So it goes if its epoch is overtaken, its producer has no term (a term begins with
 * a commit before any upload, so it was there before the listing), or its last seq is published.
 */
final class Orphans {
  private final ManifestLog log;

  Orphans(ManifestLog log) {
    this.log = log;
  }

  /**
   * Keys of orphans.
   *
   * @param before a head that was read before this call
   * @throws IOException if the store fails, or the references cannot all be read
   */
  List<String> find(CheckedHead<Manifest> before) throws IOException {
    if (before.manifest().header().nextStep() == 0) {
      return List.of(); // A stream without steps may be one that lost its manifests.
    }
    DataKeys known = new DataKeys();
    addSteps(known, before, before.manifest().header().firstStep());
    List<String> suspects = suspects(known);
    if (suspects.isEmpty()) {
      return suspects;
    }
    CheckedHead<Manifest> after = log.heads().find(before.version());
    addSteps(known, after, before.manifest().header().nextStep());
    Map<String, ProducerEntry> active = active(after.manifest());
    return suspects.stream()
        .filter(key -> !known.contains(key))
        .filter(key -> isDead(key, active))
        .toList();
  }

  private void addSteps(DataKeys known, CheckedHead<Manifest> head, long from) throws IOException {
    StepLocator locator = StepLocator.at(log, head);
    long first = Math.max(from, head.manifest().header().firstStep());
    long step = first;
    while (step < head.manifest().header().nextStep()) {
      try {
        known.add(locator.descriptor(step));
        step++;
      } catch (StepReclaimed e) {
        step = e.firstStep(); // Another pass gave up what is before, so it may go, and goes.
      }
    }
  }

  /** What is not referred to by a head that is older than the listing. */
  private List<String> suspects(DataKeys known) throws IOException {
    List<String> suspects = new ArrayList<>();
    Listings.visit(
        log.store(),
        Names.DATA,
        page ->
            page.stream()
                .map(ObjectEntry::key)
                .filter(key -> !known.contains(key))
                .forEach(suspects::add));
    return suspects;
  }

  private static Map<String, ProducerEntry> active(Manifest head) {
    Map<String, ProducerEntry> active = new TreeMap<>();
    head.producers().active().forEach(entry -> active.put(Names.escape(entry.id()), entry));
    return active;
  }

  private static boolean isDead(String key, Map<String, ProducerEntry> active) {
    Optional<DataName> name = Names.dataOf(key);
    if (name.isEmpty()) {
      return false; // Not ours.
    }
    ProducerEntry entry = active.get(name.get().escapedProducer());
    return entry == null
        || entry.epoch() > name.get().epoch()
        || entry.nextSeq() > name.get().lastSeq();
  }
}
