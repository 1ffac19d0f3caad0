// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.format.GenerationRecord;
import io.lakestream.format.GroupNames;
import io.lakestream.format.GroupNames.Kind;
import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import io.lakestream.format.PinRecord;
import io.lakestream.format.StreamTables.ForkSource;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.CheckReport.Invariant;
import io.lakestream.model.DataLoss;
import io.lakestream.store.Listings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Function;

/**
 * What holds steps: pins, and the records of starts of jobs, without which nobody knows what
 * reclamation may take, so that it stops; and of a fork the pin by which its source keeps what it
 * needs. One that goes meanwhile is missed by nobody.
 */
final class PromiseCheck {
  private static final int LISTINGS = 2;

  private final ManifestLog log;
  private final Findings findings;

  PromiseCheck(ManifestLog log, Findings findings) {
    this.log = log;
    this.findings = findings;
  }

  void run(Manifest head) throws IOException, InterruptedException {
    for (String key : Listings.keys(log.store(), Names.PINS)) {
      read(key, bytes -> PinRecord.decode(key, log.namespace(), bytes));
    }
    for (String key : Listings.keys(log.store(), GroupNames.GROUPS)) {
      Optional<GroupNames.Parsed> parsed =
          GroupNames.parse(key).filter(name -> name.kind() == Kind.GENERATION);
      if (parsed.isPresent()) {
        GroupNames.Parsed name = parsed.get();
        read(
            key,
            bytes -> GenerationRecord.decode(name.group(), name.number(), log.namespace(), bytes));
      }
    }
    Optional<ForkSource> parent = head.tables().parent();
    if (parent.isPresent() && head.header().firstStep() < parent.get().endStep()) {
      checkHeld(parent.get(), head.header().firstStep());
    }
  }

  private void read(String key, Function<ByteBuffer, Object> decoder)
      throws IOException, InterruptedException {
    var unused =
        findings.expect(
            Subject.lasting(Invariant.I5, key),
            () -> Optional.of(log.store().read(key).map(decoder).isPresent()));
  }

  private void checkHeld(ForkSource source, long firstStep)
      throws IOException, InterruptedException {
    Subject subject = Subject.step(Invariant.I5, source.uri(), firstStep);
    ManifestLog there;
    try {
      there = log.source(source);
    } catch (DataLoss e) {
      return; // Said where the steps are checked.
    }
    Optional<Boolean> isHeld =
        findings.expect(subject, () -> Optional.of(isHeld(there, firstStep)));
    if (isHeld.isPresent() && !isHeld.get()) {
      findings.problem(
          subject,
          ("has no pin of this fork at or below step %d, so what the fork needs may be reclaimed"
                  + " there; reclaim the fork, which sets it again")
              .formatted(firstStep));
    }
  }

  /**
   * Whether a pin holds a step. A listing may miss one that moves meanwhile; it moves again only
   * once the step is trimmed.
   */
  private boolean isHeld(ManifestLog source, long firstStep) throws IOException {
    boolean isListed = false;
    for (int i = 0; i < LISTINGS && !isListed; i++) {
      isListed = isListed(source, firstStep);
    }
    return isListed;
  }

  private boolean isListed(ManifestLog source, long firstStep) throws IOException {
    for (String key : Listings.keys(source.store(), Names.PINS)) {
      Optional<PinRecord> pin =
          source
              .store()
              .read(key)
              .map(bytes -> PinRecord.decode(key, source.namespace(), bytes))
              .filter(found -> found.fork().equals(Optional.of(log.namespace())));
      if (pin.isPresent() && pin.get().step() <= firstStep) {
        return true;
      }
    }
    return false;
  }
}
