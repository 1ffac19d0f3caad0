// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static io.lakestream.format.Samples.NAMESPACE;
import static io.lakestream.format.Samples.NEWER;
import static io.lakestream.format.Samples.NONE;
import static io.lakestream.format.Samples.array;

import io.lakestream.format.ManifestHeader.TrimIntent;
import io.lakestream.format.ProducerTable.ArchiveRun;
import io.lakestream.model.CpLayout;
import io.lakestream.model.Generation;
import io.lakestream.model.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** Objects of format 1 that a small stream does not have. Made of fixed values only. */
final class GoldenObjects {
  /** A stream of this many steps has a node, segments and a tail of three chunks. */
  static final long NEXT_STEP = 4_096 + 3 * 128 + 130;

  static final Optional<Id128> LAUNCH =
      Optional.of(new Id128(0x0123456789abcdefL, 0xfedcba9876543210L));

  private GoldenObjects() {}

  /** The objects by the names of their files. */
  static Map<String, byte[]> objects() {
    Map<String, byte[]> objects = new TreeMap<>();
    objects.put("manifest-tail", array(tail().encode(NAMESPACE)));
    objects.put("manifest-tree", array(tree().encode(NAMESPACE)));
    objects.put("manifest-producers", array(producers().encode(NAMESPACE)));
    objects.put("manifest-tables", array(tables().encode(NAMESPACE)));
    objects.put("manifest-skips", array(skips().encode(NAMESPACE)));
    objects.put("manifest-trim", array(trim().encode(NAMESPACE)));
    objects.put("manifest-newer-minor", array(newerMinor().encode(NAMESPACE)));
    objects.put("segment", array(segment().encode(NAMESPACE)));
    objects.put("node", array(node().encode(NAMESPACE)));
    objects.put("node-after-trim", array(nodeAfterTrim().encode(NAMESPACE)));
    objects.put("archive", array(archive().encode(NAMESPACE)));
    objects.put("boundary", array(new Boundary(3, 1L << 40).encode(NAMESPACE)));
    objects.put("hint", array(new Hint(1L << 40, 3).encode(NAMESPACE)));
    objects.put("pin", array(pin().encode(NAMESPACE)));
    objects.put("pin-fork", array(forkPin().encode(NAMESPACE)));
    objects.put("generation", array(generation(Optional.empty()).encode(NAMESPACE)));
    objects.put("generation-launch", array(generation(LAUNCH).encode(NAMESPACE)));
    return objects;
  }

  static PinRecord pin() {
    return new PinRecord(1L << 40, 0x0123456789abcdefL, "checkpoint 7");
  }

  static PinRecord forkPin() {
    return new PinRecord(7, 0x0123456789abcdefL, "fork file:///b", Optional.of(new UUID(1, 2)));
  }

  static GenerationRecord generation(Optional<Id128> launch) {
    return new GenerationRecord(
        new Generation("große läufe", 3, 4_096, 1L << 40, 1L << 33), launch);
  }

  /** Three chunks of two producers and all kinds of slice index, beyond 32 and 40 bits. */
  static Manifest tail() {
    List<Descriptor> descriptors = new ArrayList<>();
    for (int i = 0; i < 130; i++) {
      descriptors.add(descriptor(i));
    }
    return Samples.published(
        Samples.published(Manifest.empty(), descriptors.subList(0, 70)),
        descriptors.subList(70, 130));
  }

  private static Descriptor descriptor(int step) {
    SliceIndex index =
        switch (step % 3) {
          case 0 -> new SliceIndex.Uniform(1L << 20);
          case 1 -> new SliceIndex.Lengths(List.of(1L, 300L, 1L << 30));
          default -> new SliceIndex.InFooter();
        };
    ImageLocation image =
        new ImageLocation(
            -1L - step,
            step + 2,
            step % 2 == 0 ? (1L << 40) + step : 0,
            (1L << 33) + step,
            step % 2 == 0 ? 0 : 1L << 32,
            5_000 + step,
            step * 0x01010101);
    return new Descriptor(
        step % 5 == 0 ? "q" : "p",
        1 + step % 2,
        step,
        "offset " + step,
        0,
        image,
        index,
        CpLayout.OPAQUE,
        step % 4,
        NONE);
  }

  /** A trimmed stream with a node, three segments and three chunks. */
  static Manifest tree() {
    SegmentTree segments = SegmentTree.EMPTY;
    for (int i = 0; i < 35; i++) {
      segments = segments.withSegment(i * 128L, new Id128(0, i));
    }
    SegmentTree folded = segments.fold(segments.foldable(1).orElseThrow(), new Id128(1, 0));
    ManifestHeader header =
        new ManifestHeader(
            1_000,
            new Id128(3, 4),
            CommitKind.PUBLISH,
            "p",
            1,
            1_000,
            NEXT_STEP,
            10,
            4_480,
            new Boundary(2, 900),
            false,
            Optional.empty(),
            NONE);
    List<Chunk> chunks = Chunk.append("", List.of(), 4_480, Samples.descriptors("p", 4_480, 130));
    return new Manifest(header, chunks, folded, ProducerTable.EMPTY, StreamTables.EMPTY, List.of());
  }

  static Manifest producers() {
    ProducerTable table =
        new ProducerTable(
            List.of(Samples.entry("a", 5, 0), Samples.entry("b", 9, 1L << 33)),
            List.of(Samples.entry("z", 2, 3), Samples.entry("c", 1, 0)),
            List.of(
                new ArchiveRun(new Id128(5, 6), 0, 32), new ArchiveRun(new Id128(7, 8), 1, 256)),
            NONE);
    return first().withProducers(table);
  }

  private static Manifest first() {
    return Samples.published(Manifest.empty(), List.of());
  }

  static Manifest tables() {
    StreamTables schemas =
        StreamTables.EMPTY.withSchema(Schema.RAW).withSchema(GoldenStream.TENSORS);
    StreamTables tables =
        new StreamTables(
            schemas.schemas(),
            List.of(
                new StreamTables.SkipRange(10, 20, "loss spike", 0),
                new StreamTables.SkipRange(1L << 33, 1L << 33, "", 0)),
            List.of(new StreamTables.ForkSource("s3://bucket/runs/a", new UUID(9, 10), 1L << 32)),
            NONE);
    Manifest manifest = first();
    return new Manifest(
        manifest.header(),
        manifest.chunks(),
        manifest.tree(),
        manifest.producers(),
        tables,
        List.of());
  }

  /** Ranges that say which version recorded them. */
  static Manifest skips() {
    StreamTables tables =
        StreamTables.EMPTY
            .withSkip(new StreamTables.SkipRange(0, 7, "duplicated shard", 2))
            .withSkip(new StreamTables.SkipRange(1L << 40, 1L << 41, "größe", 1L << 33));
    return first().withTables(tables);
  }

  static Manifest trim() {
    ManifestHeader header =
        new ManifestHeader(
            7,
            new Id128(1, 2),
            CommitKind.TRIM,
            "",
            0,
            0,
            0,
            0,
            0,
            Boundary.NONE,
            true,
            Optional.of(new TrimIntent(0, new Id128(11, 12))),
            NONE);
    return Manifest.empty().withHeader(header);
  }

  /** What a writer of a newer minor version might have added. */
  static Manifest newerMinor() {
    return NewerMinor.everywhere(Samples.withTail(3), NEWER);
  }

  static Segment segment() {
    List<Chunk> chunks =
        Chunk.append("", List.of(), 256, Samples.descriptors("p", 256, FormatLimits.SEGMENT_STEPS));
    return new Segment(chunks);
  }

  static IndexNode node() {
    List<Id128> hashes = new ArrayList<>();
    for (int i = 0; i < FormatLimits.FAN_OUT; i++) {
      hashes.add(new Id128(i, ~i));
    }
    return new IndexNode(2, 1L << 33, hashes);
  }

  static IndexNode nodeAfterTrim() {
    return new IndexNode(1, 3, List.of(new Id128(1, 2), new Id128(3, 4)));
  }

  static ProducerArchive archive() {
    return new ProducerArchive(
        List.of(Samples.entry("b", 2, 0), Samples.entry("a", 1, 5), Samples.entry("Ä b", 3, 7)));
  }
}
