// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/**
 * The first bytes of a manifest, and where the rest is: what a follower reads of each version.
 *
 * @param header the header
 * @param directory where the sections are
 * @param start the first bytes of the object, at least as far as the header's section
 */
public record PartialManifest(ManifestHeader header, EnvelopeDirectory directory, ByteBuffer start)
    implements ManifestVersion {

  /** First bytes that surely hold the section table and the header. */
  public static final int START_BYTES_MIN = 4096;

  /**
   * Decodes the first bytes of version {@code version}.
   *
   * @throws CorruptObject if they are not those of that version
   */
  public static PartialManifest decode(long version, UUID namespace, ByteBuffer start) {
    String key = Names.manifest(version);
    EnvelopeDirectory directory =
        EnvelopeDirectory.decode(key, ObjectKind.MANIFEST, namespace, start);
    if (directory.entries().isEmpty() || directory.entries().get(0).id() != ManifestCodec.HEADER) {
      throw new CorruptObject(key, "its directory", "the header as first section", "another");
    }
    EnvelopeDirectory.Entry entry = directory.entries().get(0);
    if (entry.offset() + entry.length() > start.remaining()) {
      throw new CorruptObject(
          key,
          "its header",
          entry.offset() + entry.length() + " bytes",
          start.remaining() + " bytes");
    }
    Section section = entry.check(key, slice(start, entry));
    ManifestHeader header = ManifestCodec.header(version, section);
    long chunks = directory.entries().stream().filter(e -> e.id() == ManifestCodec.CHUNK).count();
    if (chunks != ManifestCodec.chunkCount(header)) {
      throw new CorruptObject(
          key, "its tail", ManifestCodec.chunkCount(header) + " chunks", chunks + " chunks");
    }
    return new PartialManifest(header, directory, start);
  }

  /** Whether the bytes of a section are among the first bytes. */
  public boolean has(EnvelopeDirectory.Entry entry) {
    return entry.offset() + entry.length() <= start.remaining();
  }

  /** The bytes of a section that is among the first bytes. */
  public ByteBuffer bytes(EnvelopeDirectory.Entry entry) {
    return slice(start, entry);
  }

  private static ByteBuffer slice(ByteBuffer start, EnvelopeDirectory.Entry entry) {
    int from = start.position() + Math.toIntExact(entry.offset());
    return start.slice(from, entry.length());
  }

  /** Where the chunk is that has the descriptor of a step of the tail. */
  public EnvelopeDirectory.Entry chunkEntry(long step) {
    return directory.entries().stream()
        .filter(entry -> entry.id() == ManifestCodec.CHUNK)
        .skip(place(step))
        .findFirst()
        .orElseThrow();
  }

  /** The chunk of a step of the tail, in the bytes of its section. */
  public Chunk chunk(long step, ByteBuffer body) {
    String key = Names.manifest(version());
    Section section = chunkEntry(step).check(key, body);
    return ManifestCodec.chunk(key, header, place(step), section);
  }

  private int place(long step) {
    if (step < header.tailFirst() || step >= header.nextStep()) {
      throw new AssertionError("step %d is not in the tail".formatted(step));
    }
    long newest = (header.nextStep() - 1) / FormatLimits.CHUNK_STEPS;
    return (int) (newest - step / FormatLimits.CHUNK_STEPS);
  }

  /** Where the segment tree is. */
  public EnvelopeDirectory.Entry treeEntry() {
    return entry(ManifestCodec.TREE);
  }

  /** The segment tree in the bytes of its section. */
  public SegmentTree tree(ByteBuffer body) {
    String key = Names.manifest(version());
    return ManifestCodec.tree(key, treeEntry().check(key, body));
  }

  /** Where the short tables are. */
  public EnvelopeDirectory.Entry tablesEntry() {
    return entry(ManifestCodec.TABLES);
  }

  /** The short tables in the bytes of their section. */
  public StreamTables tables(ByteBuffer body) {
    String key = Names.manifest(version());
    return ManifestCodec.tables(key, tablesEntry().check(key, body));
  }

  private EnvelopeDirectory.Entry entry(int id) {
    List<EnvelopeDirectory.Entry> found =
        directory.entries().stream().filter(entry -> entry.id() == id).toList();
    if (found.size() != 1) {
      throw new CorruptObject(
          Names.manifest(version()),
          "its directory",
          "one section " + id,
          found.size() + " of them");
    }
    return found.get(0);
  }
}
