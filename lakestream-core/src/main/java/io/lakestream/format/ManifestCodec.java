// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.format.proto.ManifestHeaderMessage;
import io.lakestream.format.proto.ProducerTableMessage;
import io.lakestream.format.proto.SegmentTreeMessage;
import io.lakestream.format.proto.TablesMessage;
import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A {@link Manifest} as an object.
 *
 * <pre>
 * manifest := envelope of { header, chunk (newest first) …, tree, producers, tables, unknown … }
 * </pre>
 *
 * A follower near the head needs the first sections only, which is why the newest descriptors
 * follow the header at once.
 */
public final class ManifestCodec {
  static final int HEADER = 1;
  static final int CHUNK = Chunk.SECTION_ID;
  static final int TREE = 3;
  static final int PRODUCERS = 4;
  static final int TABLES = 5;

  private ManifestCodec() {}

  static List<ByteBuffer> encode(Manifest manifest, UUID namespace) {
    List<Section> sections = new ArrayList<>();
    sections.add(Section.of(HEADER, manifest.header().toMessage()));
    for (int i = manifest.chunks().size() - 1; i >= 0; i--) {
      sections.add(manifest.chunks().get(i).section());
    }
    sections.add(Section.of(TREE, manifest.tree().toMessage()));
    sections.add(Section.of(PRODUCERS, manifest.producers().toMessage()));
    sections.add(Section.of(TABLES, manifest.tables().toMessage()));
    sections.addAll(manifest.unknown());
    return new Envelope(ObjectKind.MANIFEST, namespace, sections).encode();
  }

  /** Encoded length in bytes, without encoding. */
  static long bytes(Manifest manifest) {
    int sections = 4 + manifest.chunks().size() + manifest.unknown().size();
    long bytes = Envelope.directoryBytes(sections);
    bytes += manifest.header().toMessage().getSerializedSize();
    bytes += manifest.tailBytes();
    bytes += manifest.tree().toMessage().getSerializedSize();
    bytes += manifest.producers().bytes();
    bytes += manifest.tables().toMessage().getSerializedSize();
    for (Section section : manifest.unknown()) {
      bytes += section.body().remaining();
    }
    return bytes;
  }

  static Manifest decode(long version, UUID namespace, ByteBuffer bytes) {
    String key = Names.manifest(version);
    Envelope envelope = Envelope.decode(key, ObjectKind.MANIFEST, namespace, bytes);
    List<Section> sections = envelope.sections();
    if (sections.isEmpty() || sections.get(0).id() != HEADER) {
      throw new CorruptObject(key, "its directory", "the header as first section", "another");
    }
    ManifestHeader header = header(version, envelope.section(key, HEADER));
    SegmentTree tree = tree(key, envelope.section(key, TREE));
    ProducerTable producers = producers(key, envelope.section(key, PRODUCERS));
    StreamTables tables = tables(key, envelope.section(key, TABLES));
    List<Section> chunks = sections.stream().filter(section -> section.id() == CHUNK).toList();
    List<Section> unknown = sections.stream().filter(ManifestCodec::isUnknown).toList();
    return Decoding.of(
        key,
        "its content",
        "a consistent manifest",
        () -> new Manifest(header, chunks(key, header, chunks), tree, producers, tables, unknown));
  }

  private static boolean isUnknown(Section section) {
    return section.id() < HEADER || section.id() > TABLES;
  }

  /** The header in its section. */
  static ManifestHeader header(long version, Section section) {
    String key = Names.manifest(version);
    return Decoding.of(
        key,
        "its header",
        "the header of version " + version,
        () -> {
          ManifestHeaderMessage message = ManifestHeaderMessage.parseFrom(section.body());
          if (message.getVersion() != version) {
            throw new MalformedRecord("version " + message.getVersion());
          }
          return ManifestHeader.fromMessage(key, message);
        });
  }

  /** The segment tree in its section. */
  static SegmentTree tree(String key, Section section) {
    return Decoding.of(
        key,
        "its segment tree",
        "a segment tree",
        () -> SegmentTree.fromMessage(key, SegmentTreeMessage.parseFrom(section.body())));
  }

  /** The short tables in their section. */
  static StreamTables tables(String key, Section section) {
    return Decoding.of(
        key,
        "its tables",
        "tables",
        () -> StreamTables.fromMessage(key, TablesMessage.parseFrom(section.body())));
  }

  private static ProducerTable producers(String key, Section section) {
    return Decoding.of(
        key,
        "its producers",
        "a producer table",
        () -> ProducerTable.fromMessage(key, ProducerTableMessage.parseFrom(section.body())));
  }

  private static List<Chunk> chunks(String key, ManifestHeader header, List<Section> newestFirst) {
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < newestFirst.size(); i++) {
      chunks.add(0, chunk(key, header, i, newestFirst.get(i)));
    }
    return chunks;
  }

  /** The {@code place}-th chunk of a tail, counted from the newest; its steps follow from that. */
  static Chunk chunk(String key, ManifestHeader header, int place, Section section) {
    long first =
        header.tailFirst() + (long) (chunkCount(header) - 1 - place) * FormatLimits.CHUNK_STEPS;
    long end = Math.min(header.nextStep(), first + FormatLimits.CHUNK_STEPS);
    if (first < header.tailFirst()) {
      throw new CorruptObject(key, "its tail", "chunks of its steps only", "more chunks");
    }
    return new Chunk(first, Math.toIntExact(end - first), section);
  }

  /** How many chunks a tail has. */
  static int chunkCount(ManifestHeader header) {
    long steps = header.nextStep() - header.tailFirst();
    return (int) ((steps + FormatLimits.CHUNK_STEPS - 1) / FormatLimits.CHUNK_STEPS);
  }
}
