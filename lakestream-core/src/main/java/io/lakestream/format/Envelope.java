// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The frame of every metadata object: a directory that says what follows, then the sections.
 *
 * <pre>
 * directory := magic "LAKE", kind u8, major u8, minor u8, sections u8, namespace uuid (16 bytes),
 *              total length u32, { section id u32, length u32, crc32c u32 } per section, crc32c u32
 * envelope  := directory, section bodies back to back
 * </pre>
 *
 * Integers are little-endian. The last checksum of the directory covers all of it before, so a
 * reader that has only the first bytes of an object knows whether it may believe the table, and
 * each section can be fetched and checked by itself.
 *
 * @param kind what the object is
 * @param namespace the namespace it belongs to
 * @param sections its parts in order
 */
public record Envelope(ObjectKind kind, UUID namespace, List<Section> sections) {
  static final int FIXED_HEAD_BYTES = 28;
  static final int TABLE_ENTRY_BYTES = 12;

  /** Most sections of an envelope: their number is one byte. */
  static final int SECTIONS_MAX = 255;

  public Envelope {
    sections = List.copyOf(sections);
    if (sections.size() > SECTIONS_MAX) {
      throw new MalformedRecord("an envelope of " + sections.size() + " sections");
    }
  }

  /** The object's bytes. */
  public List<ByteBuffer> encode() {
    List<ByteBuffer> buffers = new ArrayList<>(sections.size() + 1);
    buffers.add(encodeHead());
    sections.forEach(section -> buffers.add(section.body()));
    return buffers;
  }

  private ByteBuffer encodeHead() {
    int directoryBytes = directoryBytes(sections.size());
    long total = directoryBytes;
    for (Section section : sections) {
      total += section.body().remaining();
    }
    ByteBuffer directory = ByteBuffer.allocate(directoryBytes).order(ByteOrder.LITTLE_ENDIAN);
    Preamble.write(directory, kind, sections.size(), namespace);
    directory.putInt(Math.toIntExact(total));
    for (Section section : sections) {
      directory.putInt(section.id()).putInt(section.body().remaining()).putInt(section.crc());
    }
    directory.putInt(Checksum.of(directory.duplicate().flip()));
    return directory.flip();
  }

  static int directoryBytes(int sections) {
    return FIXED_HEAD_BYTES + sections * TABLE_ENTRY_BYTES + Integer.BYTES;
  }

  /**
   * The envelope in {@code bytes}, every part checked.
   *
   * @param key the object's key, for messages
   * @throws CorruptObject if anything is not as it was written
   * @throws io.lakestream.model.UnsupportedFormat if a newer major version wrote it
   */
  public static Envelope decode(String key, ObjectKind kind, UUID namespace, ByteBuffer bytes) {
    EnvelopeDirectory directory = EnvelopeDirectory.decode(key, kind, namespace, bytes);
    if (directory.totalBytes() != bytes.remaining()) {
      throw new CorruptObject(
          key, "its end", directory.totalBytes() + " bytes in all", bytes.remaining() + " bytes");
    }
    List<Section> sections = new ArrayList<>();
    for (EnvelopeDirectory.Entry entry : directory.entries()) {
      int start = bytes.position() + Math.toIntExact(entry.offset());
      sections.add(entry.check(key, bytes.slice(start, entry.length())));
    }
    return new Envelope(kind, namespace, sections);
  }

  /**
   * The one section with an id. Others are left aside: a newer minor version may have added them.
   *
   * @throws CorruptObject if there is none, or more than one
   */
  Section section(String key, int id) {
    List<Section> found = sections.stream().filter(section -> section.id() == id).toList();
    if (found.size() != 1) {
      throw new CorruptObject(key, "its directory", "one section " + id, found.size() + " of them");
    }
    return found.get(0);
  }
}
