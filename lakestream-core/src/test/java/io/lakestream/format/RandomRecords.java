// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.format.ProducerTable.ArchiveRun;
import io.lakestream.model.CpLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/** Records with random values of every size, from a seed. */
final class RandomRecords {
  private final Random random;

  RandomRecords(long seed) {
    this.random = new Random(seed);
  }

  /** Not negative, of any number of bits. */
  long number(int bitsMax) {
    return random.nextLong() >>> (Long.SIZE - 1 - random.nextInt(bitsMax));
  }

  private Id128 id() {
    return new Id128(random.nextLong(), random.nextLong());
  }

  private String text(int lengthMax) {
    String alphabet = "ab-.0Zé水";
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(lengthMax); i > 0; i--) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  private String producer() {
    return "p" + text(6);
  }

  ImageLocation location(long lastSeq) {
    int footer = 1 + (int) number(30);
    long length = TgbImage.HEADER_BYTES + footer + TgbImage.TAIL_BYTES + 1 + number(50);
    boolean isCut = random.nextBoolean();
    long part = isCut ? Math.max(1, length / (1 + random.nextInt(9_000))) : 0;
    if (isCut && (length - 1) / part >= FormatLimits.PARTS_MAX) {
      part = length;
    }
    return new ImageLocation(
        random.nextLong(), lastSeq, isCut ? 0 : number(59), length, part, footer, random.nextInt());
  }

  private SliceIndex sliceIndex() {
    return switch (random.nextInt(3)) {
      case 0 -> new SliceIndex.Uniform(1 + number(30));
      case 1 -> {
        List<Long> lengths = new ArrayList<>();
        for (int i = random.nextInt(12); i >= 0; i--) {
          lengths.add(1 + number(30));
        }
        yield new SliceIndex.Lengths(lengths);
      }
      default -> new SliceIndex.InFooter();
    };
  }

  Descriptor descriptor(long version) {
    long seq = number(40);
    return new Descriptor(
        producer(),
        number(62),
        seq,
        text(16),
        version,
        location(seq + number(10)),
        sliceIndex(),
        random.nextBoolean() ? CpLayout.ZIGZAG : CpLayout.CONTIGUOUS,
        random.nextInt(3) == 0 ? random.nextLong() : 7,
        random.nextInt(4) == 0 ? Samples.NEWER : Samples.NONE);
  }

  /** As many descriptors, with versions that never fall. */
  List<Descriptor> descriptors(int count) {
    long version = number(50);
    List<Descriptor> descriptors = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      version += random.nextInt(3);
      descriptors.add(descriptor(version));
    }
    return descriptors;
  }

  ProducerEntry entry(String id) {
    Optional<String> offset = random.nextBoolean() ? Optional.of(text(16)) : Optional.empty();
    return new ProducerEntry(
        id,
        number(62),
        number(62),
        offset,
        number(62),
        id(),
        random.nextInt(4) == 0 ? Samples.NEWER : Samples.NONE);
  }

  ProducerTable producers() {
    ProducerTable table = ProducerTable.EMPTY;
    for (int i = random.nextInt(20); i > 0; i--) {
      table = table.withActive(entry(producer()));
    }
    for (int i = random.nextInt(20); i > 0; i--) {
      table = table.withRetired(entry(producer()));
    }
    List<ArchiveRun> runs = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      runs.add(new ArchiveRun(id(), random.nextInt(5), number(62)));
    }
    return new ProducerTable(table.active(), table.retired(), runs, Samples.NEWER);
  }

  StreamTables tables() {
    List<StreamTables.SkipRange> skips = new ArrayList<>();
    List<StreamTables.ForkSource> sources = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      long first = number(50);
      skips.add(new StreamTables.SkipRange(first, first + number(40), text(40), number(40)));
      UUID uuid = new UUID(random.nextLong(), random.nextLong());
      sources.add(new StreamTables.ForkSource("file:///" + text(9), uuid, number(62)));
    }
    StreamTables schemas =
        random.nextBoolean()
            ? StreamTables.EMPTY
            : StreamTables.EMPTY.withSchema(GoldenStream.TENSORS);
    return new StreamTables(schemas.schemas(), skips, sources, Samples.NONE);
  }

  /** A manifest with a tail of up to 300 steps behind an emptied tree. */
  Manifest manifest() {
    long tailFirst = number(40) / FormatLimits.SEGMENT_STEPS * FormatLimits.SEGMENT_STEPS;
    int steps = random.nextInt(300);
    long next = tailFirst + steps;
    ManifestHeader header =
        new ManifestHeader(
            1 + number(61),
            id(),
            List.of(CommitKind.values()).get(random.nextInt(7)),
            random.nextBoolean() ? "" : producer(),
            number(62),
            tailFirst + random.nextInt(steps + 1),
            next,
            Math.min(next, number(6)),
            tailFirst,
            random.nextBoolean() ? Boundary.NONE : new Boundary(1 + number(20), 1 + number(40)),
            random.nextBoolean(),
            random.nextBoolean()
                ? Optional.empty()
                : Optional.of(new ManifestHeader.TrimIntent(number(62), id())),
            random.nextBoolean() ? Samples.NEWER : Samples.NONE);
    long segment = tailFirst / FormatLimits.SEGMENT_STEPS;
    SegmentTree tree =
        new SegmentTree(List.of(new SegmentTree.Level(segment, List.of())), Samples.NONE);
    List<Chunk> chunks = Chunk.append("", List.of(), tailFirst, descriptors(steps));
    return new Manifest(header, chunks, tree, producers(), tables(), List.of());
  }
}
