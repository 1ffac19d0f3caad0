// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.format.Descriptor;
import io.lakestream.format.FormatLimits;
import io.lakestream.format.GroupNames;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.Names;
import io.lakestream.format.ProducerEntry;
import io.lakestream.format.Segment;
import io.lakestream.format.SegmentTree.Reference;
import io.lakestream.format.StreamTables.ForkSource;
import io.lakestream.manifest.CheckedHead;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.StepLocator;
import io.lakestream.model.DataLoss;
import io.lakestream.model.Reclaimed;
import io.lakestream.model.StepReclaimed;
import io.lakestream.policy.ReclaimSettings;
import io.lakestream.runtime.Environment;
import io.lakestream.store.Listings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Gives up the steps that nobody may resume from, and deletes what held them. It may run anywhere,
 * several times at once, or die at any point: a later pass finds what is left. For use by one
 * thread.
 *
 * <p>Producers that died are retired before orphans are judged, so that what they left goes too.
 *
 * <p>Data goes before the descriptors that name it, segments before the nodes above them, and
 * manifests last, below a boundary that was raised before. An object that several batches share
 * goes with the last of them.
 */
public final class Reclaimer {
  private final ManifestLog log;
  private final ReclaimSettings settings;
  private final Trimmer trimmer;
  private final Removal removal;
  private final Environment environment;

  private long doneBelow;

  /**
   * A reclaimer of a stream.
   *
   * @param doneBelow a step below which all data was deleted before, or 0
   */
  public Reclaimer(
      ManifestLog log, ReclaimSettings settings, Environment environment, long doneBelow) {
    this.log = log;
    this.settings = settings;
    this.doneBelow = doneBelow;
    this.environment = environment;
    this.trimmer = new Trimmer(log, environment);
    this.removal = isLooking() ? Removal.none() : Removal.from(log.store());
  }

  private boolean isLooking() {
    return settings.mode() == ReclaimSettings.Mode.LOOK;
  }

  /** A step below which all data is deleted. */
  public long doneBelow() {
    return doneBelow;
  }

  /** One pass. */
  public Reclaimed run() throws IOException, InterruptedException {
    Trimmer.Trimmed trimmed = isLooking() ? trimmer.look() : trimmer.trim();
    CheckedHead<Manifest> head = trimmed.head();
    long firstStep =
        isLooking()
            ? trimmed.promises().firstNeeded(head.manifest())
            : head.manifest().header().firstStep();
    long ownFrom = head.manifest().tables().ownFrom();
    long data = 0;
    long segments = 0;
    List<String> nodes = new ArrayList<>();
    for (Reference reference : trimmedBelow(firstStep)) {
      if (reference.level() > 0) {
        nodes.add(reference.key());
      } else {
        data += remove(dataOf(reference, ownFrom));
        segments += remove(List.of(reference.key()));
      }
    }
    data += remove(dataOfPartlyTrimmed(head, Math.max(ownFrom, doneBelow), firstStep));
    segments += remove(nodes);
    doneBelow = isLooking() ? doneBelow : firstStep;
    List<String> retired = retireIdle(head);
    long orphans = removeOrphans(head);
    remove(GroupListing.read(log, GroupNames.GROUPS).overtaken());
    long manifests = removeManifests(head);
    if (!isLooking()) {
      letSourceGo(head);
    }
    return new Reclaimed(
        firstStep, trimmed.promises().all(), retired, data, orphans, segments, manifests);
  }

  private List<Reference> trimmedBelow(long firstStep) throws IOException {
    List<Reference> trimmed = new ArrayList<>();
    Listings.visit(
        log.store(),
        Names.SEGMENTS,
        page ->
            page.stream()
                .map(entry -> Reference.ofKey(entry.key()))
                .flatMap(Optional::stream)
                .filter(reference -> reference.lastStep() < firstStep)
                .forEach(trimmed::add));
    return trimmed;
  }

  /** What a fork gave up its source need not keep for it. */
  private void letSourceGo(CheckedHead<Manifest> head) throws IOException {
    Optional<ForkSource> parent = head.manifest().tables().parent();
    if (parent.isPresent()) {
      letGo(parent.get(), head);
    }
  }

  private void letGo(ForkSource source, CheckedHead<Manifest> head) throws IOException {
    long firstStep = head.manifest().header().firstStep();
    try {
      letGo(source, firstStep);
    } catch (StepReclaimed e) {
      // Perhaps another pass trimmed the fork further, and the source did not keep what it let go.
      CheckedHead<Manifest> newer = log.heads().find(head.version());
      if (newer.manifest().header().firstStep() == firstStep) {
        throw new DataLoss(
            ("steps below %d, which the fork needs from step %d on, were reclaimed at %s: let it go"
                    + " of them, by what its own jobs and pins promise")
                .formatted(e.firstStep(), firstStep, source.uri()));
      }
      letGo(source, newer);
    }
  }

  private void letGo(ForkSource source, long firstStep) throws IOException {
    boolean isNeeded = firstStep < source.endStep();
    try {
      new Pins(log.source(source), environment)
          .moveFork(log.namespace(), isNeeded ? OptionalLong.of(firstStep) : OptionalLong.empty());
    } catch (DataLoss e) {
      if (isNeeded) {
        throw e;
      }
      // The source was removed once nothing needed it, and the pins with it.
    }
  }

  /** What a segment names, but for the batches of a namespace that this one was forked from. */
  private List<String> dataOf(Reference segment, long ownFrom) throws IOException {
    Optional<ByteBuffer> bytes = log.store().read(segment.key());
    List<String> keys = new ArrayList<>();
    if (bytes.isPresent()) {
      Segment.decode(segment, log.namespace(), bytes.get())
          .chunks()
          .forEach(
              chunk ->
                  chunk.decode(segment.key()).descriptors().stream()
                      .skip(Math.max(0, ownFrom - chunk.firstStep()))
                      .forEach(descriptor -> keys.addAll(dataOf(descriptor))));
    }
    return keys;
  }

  /** Steps behind the last segment that is wholly trimmed are still in a segment or in the tail. */
  private List<String> dataOfPartlyTrimmed(CheckedHead<Manifest> head, long from, long firstStep)
      throws IOException {
    ManifestHeader header = head.manifest().header();
    long inSegment = firstStep - firstStep % FormatLimits.SEGMENT_STEPS;
    long first = Math.max(from, Math.min(inSegment, header.tailFirst()));
    StepLocator locator = StepLocator.at(log, head);
    List<String> keys = new ArrayList<>();
    for (long step = first; step < firstStep; step++) {
      locator.trimmedDescriptor(step).ifPresent(found -> keys.addAll(dataOf(found)));
    }
    return keys;
  }

  private static List<String> dataOf(Descriptor descriptor) {
    List<String> keys = new ArrayList<>();
    if (descriptor.seq() == descriptor.image().lastSeq()) {
      keys.addAll(descriptor.objectKeys());
    }
    keys.add(descriptor.provenanceKey());
    return keys;
  }

  private List<String> retireIdle(CheckedHead<Manifest> head)
      throws IOException, InterruptedException {
    List<ProducerEntry> idle = IdleProducers.in(head.manifest(), settings.versionsIdle());
    return isLooking()
        ? idle.stream().map(ProducerEntry::id).toList()
        : new IdleProducers(log, environment).retire(head, idle);
  }

  private long removeOrphans(CheckedHead<Manifest> head) throws IOException {
    return settings.orphans() == ReclaimSettings.Orphans.DELETE
        ? remove(new Orphans(log).find(head))
        : 0;
  }

  private long removeManifests(CheckedHead<Manifest> head) throws IOException {
    long target = head.version() - settings.versionsKept();
    if (target <= 0) {
      return 0;
    }
    long dead = isLooking() ? target : log.boundaries().raise(head.boundary(), target).version();
    List<String> keys = new ArrayList<>();
    Listings.visit(
        log.store(),
        Names.MANIFESTS,
        page ->
            page.stream()
                .filter(entry -> Names.manifestOf(entry.key()).orElse(Long.MAX_VALUE) <= dead)
                .forEach(entry -> keys.add(entry.key())));
    return remove(keys);
  }

  private long remove(List<String> keys) throws IOException {
    removal.remove(keys);
    return keys.stream().filter(key -> !key.endsWith(Names.PROVENANCE_SUFFIX)).count();
  }
}
