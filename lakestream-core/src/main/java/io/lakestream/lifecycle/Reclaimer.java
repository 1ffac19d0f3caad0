// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.format.Boundary;
import io.lakestream.format.Descriptor;
import io.lakestream.format.FormatLimits;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.Names;
import io.lakestream.format.Segment;
import io.lakestream.format.SegmentTree.Reference;
import io.lakestream.manifest.CheckedHead;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.StepLocator;
import io.lakestream.model.Reclaimed;
import io.lakestream.store.DeleteFailure;
import io.lakestream.store.Listings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Deletes what the first step of a checked head has left behind. It may run anywhere, twice at
 * once, or die at any point: a later pass finds what is left.
 *
 * <p>Data goes before the descriptors that name it, segments before the nodes above them, and
 * manifests last, below a boundary that was raised before. An object that several batches share
 * goes with the last of them.
 */
public final class Reclaimer {
  /** As many keys as stores delete in one request. */
  private static final int DELETED_AT_ONCE = 1_000;

  private final ManifestLog log;
  private final long versionsKept;

  /**
   * A reclaimer of a stream.
   *
   * @param versionsKept how many of the newest versions stay: readers and writers that are slower
   *     are safe all the same, but have to start over
   */
  public Reclaimer(ManifestLog log, long versionsKept) {
    this.log = log;
    this.versionsKept = versionsKept;
  }

  /** Deletes all that a head has left behind. */
  public Reclaimed reclaim(CheckedHead<Manifest> head) throws IOException {
    long firstStep = head.manifest().header().firstStep();
    long data = 0;
    long segments = 0;
    List<Reference> nodes = new ArrayList<>();
    for (String key : Listings.keys(log.store(), Names.SEGMENTS)) {
      Optional<Reference> reference = Reference.ofKey(key).filter(r -> r.lastStep() < firstStep);
      if (reference.isPresent() && reference.get().level() > 0) {
        nodes.add(reference.get());
      } else if (reference.isPresent()) {
        data += delete(dataOf(reference.get()));
        segments += delete(List.of(key));
      }
    }
    segments += delete(nodes.stream().map(Reference::key).toList());
    data += delete(dataOfPartlyTrimmed(head));
    return new Reclaimed(firstStep, data, segments, reclaimManifests(head));
  }

  private List<String> dataOf(Reference segment) throws IOException {
    Optional<ByteBuffer> bytes = log.store().read(segment.key());
    List<String> keys = new ArrayList<>();
    if (bytes.isPresent()) {
      Segment.decode(segment, log.namespace(), bytes.get())
          .chunks()
          .forEach(
              chunk ->
                  chunk
                      .decode(segment.key())
                      .descriptors()
                      .forEach(descriptor -> keys.addAll(dataOf(descriptor))));
    }
    return keys;
  }

  /** Steps behind the last segment that is wholly trimmed are still in a segment or in the tail. */
  private List<String> dataOfPartlyTrimmed(CheckedHead<Manifest> head) throws IOException {
    ManifestHeader header = head.manifest().header();
    long inSegment = header.firstStep() - header.firstStep() % FormatLimits.SEGMENT_STEPS;
    long first = Math.min(inSegment, header.tailFirst());
    StepLocator locator = StepLocator.at(log, head);
    List<String> keys = new ArrayList<>();
    for (long step = first; step < header.firstStep(); step++) {
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

  private long reclaimManifests(CheckedHead<Manifest> head) throws IOException {
    long target = head.version() - versionsKept;
    if (target <= 0) {
      return 0;
    }
    Boundary boundary = log.boundaries().raise(head.boundary(), target);
    List<String> dead =
        Listings.keys(log.store(), Names.MANIFESTS).stream()
            .filter(key -> Names.manifestOf(key).orElse(Long.MAX_VALUE) <= boundary.version())
            .toList();
    return delete(dead);
  }

  private long delete(List<String> keys) throws IOException {
    for (int from = 0; from < keys.size(); from += DELETED_AT_ONCE) {
      List<String> some = keys.subList(from, Math.min(keys.size(), from + DELETED_AT_ONCE));
      List<DeleteFailure> failures = log.store().delete(some);
      if (!failures.isEmpty()) {
        throw new IOException(
            "%d of %d objects could not be deleted, the first is %s: %s"
                .formatted(
                    failures.size(), some.size(), failures.get(0).key(), failures.get(0).reason()));
      }
    }
    return keys.size();
  }
}
