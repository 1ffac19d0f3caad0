// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.format.Chunk;
import io.lakestream.format.Descriptor;
import io.lakestream.format.DescriptorBlock;
import io.lakestream.format.FormatLimits;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.Names;
import io.lakestream.format.ProducerEntry;
import io.lakestream.format.ProducerTable;
import io.lakestream.format.SegmentTree;
import io.lakestream.format.StreamTables.SkipRange;
import io.lakestream.model.CheckReport.Invariant;
import io.lakestream.model.LakestreamException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether a version may follow one that was before it: a pure comparison. Descriptors are compared
 * with the version before only, and what left the tail with the segments at last; so any two
 * versions agree with one another.
 */
final class Succession {
  private final Manifest before;
  private final Manifest after;
  private final LeftChunks left;
  private final List<Breach> breaches = new ArrayList<>();

  /** Something that the later version does against the rules. */
  record Breach(Invariant invariant, String what) {}

  private Succession(Manifest before, Manifest after, LeftChunks left) {
    this.before = before;
    this.after = after;
    this.left = left;
  }

  /**
   * What is wrong with {@code after}.
   *
   * @param before the version before, or an earlier one if those between cannot be read
   * @param left takes the chunks that are in the tail of {@code before} only
   */
  static List<Breach> check(Manifest before, Manifest after, LeftChunks left) {
    Succession succession = new Succession(before, after, left);
    succession.compareExtents();
    succession.compareProducers();
    succession.compareTrees();
    succession.compareTails();
    succession.compareSkips();
    return succession.breaches;
  }

  /** What is wrong with the descriptors of the first version that there is. */
  static List<Breach> checkFirst(Manifest first) {
    Succession succession = new Succession(first, first, new LeftChunks());
    first.chunks().forEach(succession::decode);
    return succession.breaches;
  }

  private void breach(Invariant invariant, String what) {
    breaches.add(new Breach(invariant, what));
  }

  private boolean isNext() {
    return after.version() == before.version() + 1;
  }

  private void compareExtents() {
    ManifestHeader old = before.header();
    ManifestHeader now = after.header();
    long grown = now.nextStep() - old.nextStep();
    if (isNext() ? grown != now.newSteps() : grown < now.newSteps()) {
      breach(
          Invariant.I4,
          "ends at step %d with %d new ones, though version %d ends at step %d"
              .formatted(now.nextStep(), now.newSteps(), old.version(), old.nextStep()));
    }
    if (now.firstStep() < old.firstStep()) {
      breach(
          Invariant.I9,
          "starts at step %d, though version %d starts at step %d"
              .formatted(now.firstStep(), old.version(), old.firstStep()));
    }
    if (now.tailFirst() < old.tailFirst()) {
      breach(
          Invariant.I4,
          "has a tail from step %d, though that of version %d starts at step %d"
              .formatted(now.tailFirst(), old.version(), old.tailFirst()));
    }
    if (old.isSealed() && (!now.isSealed() || grown != 0)) {
      breach(
          Invariant.I4,
          "%s, though version %d is sealed"
              .formatted(now.isSealed() ? "has more steps" : "is not sealed", old.version()));
    }
  }

  private void compareProducers() {
    Map<String, ProducerEntry> old = entries(before.producers());
    long published = 0;
    boolean isKnown = true;
    for (ProducerEntry entry : entries(after.producers()).values()) {
      ProducerEntry known = old.get(entry.id());
      if (known == null) {
        isKnown = isKnown && entry.nextSeq() == 0;
        continue;
      }
      published += entry.nextSeq() - known.nextSeq();
      if (entry.epoch() < known.epoch()) {
        breach(
            Invariant.I3,
            "has producer '%s' in epoch %d, though version %d has it in epoch %d"
                .formatted(entry.id(), entry.epoch(), before.version(), known.epoch()));
      }
      if (entry.nextSeq() < known.nextSeq()) {
        breach(
            Invariant.I2,
            "counts %d batches of producer '%s', though version %d counts %d"
                .formatted(entry.nextSeq(), entry.id(), before.version(), known.nextSeq()));
      }
    }
    // A producer that returns from the archive brings a count that the version before lacks.
    if (isNext() && isKnown && published != after.header().newSteps()) {
      breach(
          Invariant.I2,
          "counts %d more batches of its producers than version %d, but has %d new steps"
              .formatted(published, before.version(), after.header().newSteps()));
    }
  }

  /** The entry that counts of each producer. */
  static Map<String, ProducerEntry> entries(ProducerTable table) {
    Map<String, ProducerEntry> entries = new TreeMap<>();
    table.retired().forEach(entry -> entries.put(entry.id(), entry));
    table.active().forEach(entry -> entries.put(entry.id(), entry));
    return entries;
  }

  private void compareTrees() {
    for (SegmentTree.Reference now : after.tree().references()) {
      Optional<SegmentTree.Reference> old = before.tree().locate(now.firstStep());
      if (old.isPresent() && old.get().level() == now.level() && !old.get().equals(now)) {
        breach(
            Invariant.I4,
            "refers to %s, though version %d refers to %s"
                .formatted(now.key(), before.version(), old.get().key()));
      }
    }
  }

  private void compareTails() {
    Map<Long, Chunk> rest = new TreeMap<>();
    after.chunks().forEach(chunk -> rest.put(chunk.firstStep(), chunk));
    for (Chunk old : before.chunks()) {
      Chunk now = rest.get(old.firstStep());
      if (now == null) {
        left.add(before.version(), old);
      } else if (!isSame(old, now)) {
        compare(old, now);
      }
      rest.remove(old.firstStep());
    }
    rest.values().forEach(this::decode);
  }

  private static boolean isSame(Chunk old, Chunk now) {
    return old.count() == now.count() && old.section().body().equals(now.section().body());
  }

  private void compare(Chunk old, Chunk now) {
    Optional<DescriptorBlock> found = decode(now);
    Optional<DescriptorBlock> known = decodeQuietly(old);
    if (found.isEmpty() || known.isEmpty()) {
      return;
    }
    int count = Math.min(old.count(), now.count());
    for (int i = 0; i < count; i++) {
      Descriptor one = known.get().descriptors().get(i);
      Descriptor other = found.get().descriptors().get(i);
      if (!one.equals(other)) {
        breach(
            Invariant.I4,
            "has as step %d %s, though version %d has %s"
                .formatted(old.firstStep() + i, text(other), before.version(), text(one)));
        return;
      }
    }
  }

  /** What a start of an earlier version skips must be read from any later one. */
  private void compareSkips() {
    List<SkipRange> now = after.tables().skips();
    long firstStep = after.header().firstStep();
    for (SkipRange range : before.tables().skips()) {
      if (range.last() >= firstStep && !now.contains(range)) {
        breach(
            Invariant.I8,
            "lacks the skip of %s, though version %d has it"
                .formatted(text(range), before.version()));
      }
    }
    for (SkipRange range : now) {
      if (range.version() <= before.version() && !before.tables().skips().contains(range)) {
        breach(
            Invariant.I8,
            "has a skip of %s, though version %d lacks it"
                .formatted(text(range), before.version()));
      }
    }
  }

  /** What is wrong with the skip ranges of a version by itself. */
  static List<Breach> checkSkips(Manifest manifest) {
    List<Breach> breaches = new ArrayList<>();
    for (SkipRange range : manifest.tables().skips()) {
      String what = "";
      if (range.last() >= manifest.header().nextStep()) {
        what = "though the stream ends before step " + manifest.header().nextStep();
      } else if (range.version() > manifest.version()) {
        what = "which is a later one";
      }
      if (!what.isEmpty()) {
        breaches.add(new Breach(Invariant.I8, "has a skip of %s, %s".formatted(text(range), what)));
      }
    }
    return breaches;
  }

  private static String text(SkipRange range) {
    return "steps %d to %d by version %d".formatted(range.first(), range.last(), range.version());
  }

  /** What tells descriptors apart, for people. */
  static String text(Descriptor descriptor) {
    return "batch %d of '%s' in %s at byte %d (footer %08x, version %d)"
        .formatted(
            descriptor.seq(),
            descriptor.producer(),
            descriptor.objectKeys().get(0),
            descriptor.image().objectOffset(),
            descriptor.image().footerCrc(),
            descriptor.version());
  }

  /** What was wrong with it was said when its own version was looked at. */
  private Optional<DescriptorBlock> decodeQuietly(Chunk chunk) {
    try {
      return Optional.of(chunk.decode(Names.manifest(before.version())));
    } catch (LakestreamException e) {
      return Optional.empty();
    }
  }

  private Optional<DescriptorBlock> decode(Chunk chunk) {
    try {
      DescriptorBlock block = chunk.decode(Names.manifest(after.version()));
      checkVersions(block);
      return Optional.of(block);
    } catch (LakestreamException e) {
      breach(Invariant.I1, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private void checkVersions(DescriptorBlock block) {
    long firstNew = after.header().nextStep() - after.header().newSteps();
    for (int i = 0; i < block.descriptors().size(); i++) {
      long step = block.firstStep() + i;
      long version = block.descriptors().get(i).version();
      if (step >= firstNew ? version != after.version() : version >= after.version()) {
        breach(
            Invariant.I4,
            "has %s step %d, which says that version %d published it"
                .formatted(step >= firstNew ? "as new" : "of old", step, version));
        return;
      }
    }
  }

  /** Whether a manifest keeps its bounds; what is wrong, or empty. */
  static Optional<Breach> checkBounds(Manifest manifest) {
    long bytes = manifest.bytes();
    if (bytes > FormatLimits.MANIFEST_BYTES_MAX) {
      return Optional.of(bound("is", bytes, FormatLimits.MANIFEST_BYTES_MAX));
    }
    return manifest.tailBytes() > FormatLimits.TAIL_BYTES_MAX
        ? Optional.of(bound("has a tail of", manifest.tailBytes(), FormatLimits.TAIL_BYTES_MAX))
        : Optional.empty();
  }

  private static Breach bound(String has, long bytes, long most) {
    return new Breach(Invariant.I6, "%s %d bytes, more than %d".formatted(has, bytes, most));
  }
}
