// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import io.lakestream.format.FormatLimits;
import io.lakestream.format.Id128;
import io.lakestream.format.IndexNode;
import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import io.lakestream.format.ProducerArchive;
import io.lakestream.format.ProducerEntry;
import io.lakestream.format.ProducerTable;
import io.lakestream.format.Segment;
import io.lakestream.format.SegmentTree;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * What keeps a manifest bounded: the oldest descriptors move to a segment, full rows of references
 * to an index node, retired producers to an archive run.
 *
 * <p>Why this is safe. A step's descriptor never changes once a checked head has it, so the bytes
 * of a segment are settled and anybody may put them, at any time, under a name that includes their
 * hash. They are put <i>before</i> the base of the commit that will refer to them is read, and a
 * base is only ever relieved of what is durable under the very name that its own content gives. A
 * crash in between leaves an object that the next to seal puts again.
 *
 * @param namespace the namespace's uuid
 */
record Relief(UUID namespace) {
  /** Past this the oldest segment leaves; one full segment stays for readers near the head. */
  private static final int TAIL_STEPS_SOFT = 2 * FormatLimits.SEGMENT_STEPS;

  private static final int TAIL_BYTES_SOFT = FormatLimits.TAIL_BYTES_MAX * 2 / 3;

  /** A manifest this long is relieved of all it can, to leave room for its producers. */
  private static final int MANIFEST_BYTES_SOFT = FormatLimits.MANIFEST_BYTES_MAX * 3 / 4;

  /** How many retired producers go to a run at once. */
  private static final int RUN_ENTRIES = FormatLimits.RETIRED_MAX / 2;

  /** An object that has to be durable before a manifest may be relieved of its content. */
  record OutsideObject(String key, List<ByteBuffer> bytes) {}

  /** A manifest relieved of something, and the object that has it. */
  private record Step(OutsideObject object, Manifest relieved) {}

  /** The objects that a manifest is due to be relieved by, in the order in which to put them. */
  List<OutsideObject> due(Manifest manifest) {
    List<OutsideObject> objects = new ArrayList<>();
    Manifest relieved = manifest;
    Optional<Step> step = next(relieved);
    while (step.isPresent()) {
      objects.add(step.get().object());
      relieved = step.get().relieved();
      step = next(relieved);
    }
    archive(relieved).ifPresent(archived -> objects.add(archived.object()));
    return objects;
  }

  /** The manifest relieved of all that is due and durable. */
  Manifest relieve(Manifest manifest, Predicate<String> isDurable) {
    Manifest relieved = manifest;
    Optional<Step> step = next(relieved);
    while (step.isPresent() && isDurable.test(step.get().object().key())) {
      relieved = step.get().relieved();
      step = next(relieved);
    }
    return archive(relieved)
        .filter(archived -> isDurable.test(archived.object().key()))
        .map(Step::relieved)
        .orElse(relieved);
  }

  private Optional<Step> next(Manifest manifest) {
    return segment(manifest).or(() -> node(manifest));
  }

  private Optional<Step> segment(Manifest manifest) {
    boolean isDue =
        manifest.tailSteps() >= TAIL_STEPS_SOFT
            || manifest.tailBytes() > TAIL_BYTES_SOFT
            || (manifest.sealable().isPresent() && manifest.bytes() > MANIFEST_BYTES_SOFT);
    return isDue ? manifest.sealable().map(segment -> relief(manifest, segment)) : Optional.empty();
  }

  private Step relief(Manifest manifest, Segment segment) {
    List<ByteBuffer> bytes = segment.encode(namespace);
    Id128 hash = Id128.hashOf(bytes);
    long last = segment.firstStep() + FormatLimits.SEGMENT_STEPS - 1;
    String key = Names.segment(segment.firstStep(), last, hash);
    return new Step(new OutsideObject(key, bytes), manifest.withSealed(segment, hash));
  }

  private Optional<Step> node(Manifest manifest) {
    SegmentTree tree = manifest.tree();
    for (int level = 1; level <= tree.levels().size(); level++) {
      Optional<IndexNode> node = tree.foldable(level);
      if (node.isPresent()) {
        List<ByteBuffer> bytes = node.get().encode(namespace);
        Id128 hash = Id128.hashOf(bytes);
        String key = new SegmentTree.Reference(level, node.get().index(), hash).key();
        Manifest relieved = manifest.withTree(tree.fold(node.get(), hash));
        return Optional.of(new Step(new OutsideObject(key, bytes), relieved));
      }
    }
    return Optional.empty();
  }

  private Optional<Step> archive(Manifest manifest) {
    ProducerTable producers = manifest.producers();
    if (producers.retired().size() < FormatLimits.RETIRED_MAX) {
      return Optional.empty();
    }
    List<ProducerEntry> entries = producers.retired().subList(0, RUN_ENTRIES);
    List<ByteBuffer> bytes = new ProducerArchive(entries).encode(namespace);
    Id128 hash = Id128.hashOf(bytes);
    ProducerTable.ArchiveRun run = new ProducerTable.ArchiveRun(hash, 0, entries.size());
    return producers
        .withArchived(entries, run)
        .map(
            table ->
                new Step(
                    new OutsideObject(Names.archive(hash), bytes), manifest.withProducers(table)));
  }
}
