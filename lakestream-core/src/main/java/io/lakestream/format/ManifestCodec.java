// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.InvalidProtocolBufferException;
import io.lakestream.format.proto.ManifestHeaderMessage;
import io.lakestream.format.proto.ProducerTableMessage;
import io.lakestream.format.proto.SegmentTreeMessage;
import io.lakestream.format.proto.TablesMessage;
import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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
    long bytes = Envelope.headBytes(sections);
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
    ManifestHeader header = header(version, required(key, envelope, HEADER));
    List<Section> chunks = new ArrayList<>();
    List<Section> unknown = new ArrayList<>();
    for (Section section : envelope.sections()) {
      if (section.id() == CHUNK) {
        chunks.add(section);
      } else if (section.id() > TABLES) {
        unknown.add(section);
      }
    }
    try {
      return new Manifest(
          header,
          chunks(key, header, chunks),
          tree(key, required(key, envelope, TREE)),
          producers(key, required(key, envelope, PRODUCERS)),
          tables(key, required(key, envelope, TABLES)),
          unknown);
    } catch (AssertionError e) {
      throw new CorruptObject(key, "its content", "a consistent manifest", e.getMessage() + "");
    }
  }

  /** The header in its section. */
  static ManifestHeader header(long version, Section section) {
    String key = Names.manifest(version);
    try {
      ManifestHeader header =
          ManifestHeader.fromMessage(key, ManifestHeaderMessage.parseFrom(section.body()));
      if (header.version() != version) {
        throw new CorruptObject(
            key, "its header", "version " + version, "version " + header.version());
      }
      return header;
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptObject(key, "its header", "a manifest header", e.getMessage() + "");
    }
  }

  /** The segment tree in its section. */
  static SegmentTree tree(String key, Section section) {
    try {
      return SegmentTree.fromMessage(key, SegmentTreeMessage.parseFrom(section.body()));
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptObject(key, "its segment tree", "a segment tree", e.getMessage() + "");
    }
  }

  /** The short tables in their section. */
  static StreamTables tables(String key, Section section) {
    try {
      return StreamTables.fromMessage(key, TablesMessage.parseFrom(section.body()));
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptObject(key, "its tables", "tables", e.getMessage() + "");
    }
  }

  private static ProducerTable producers(String key, Section section) {
    try {
      return ProducerTable.fromMessage(key, ProducerTableMessage.parseFrom(section.body()));
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptObject(key, "its producers", "a producer table", e.getMessage() + "");
    }
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
    long newest = (header.nextStep() - 1) / FormatLimits.CHUNK_STEPS;
    long aligned = (newest - place) * FormatLimits.CHUNK_STEPS;
    long first = Math.max(header.tailFirst(), aligned);
    long end = Math.min(header.nextStep(), aligned + FormatLimits.CHUNK_STEPS);
    if (first >= end) {
      throw new CorruptObject(key, "its tail", "chunks of its steps only", "more chunks");
    }
    return new Chunk(first, Math.toIntExact(end - first), section);
  }

  private static Section required(String key, Envelope envelope, int id) {
    @Nullable Section found = null;
    for (Section section : envelope.sections()) {
      if (section.id() == id) {
        if (found != null) {
          throw new CorruptObject(key, "its head", "one section " + id, "two");
        }
        found = section;
      }
    }
    if (found == null) {
      throw new CorruptObject(key, "its head", "a section " + id, "none");
    }
    return found;
  }
}
