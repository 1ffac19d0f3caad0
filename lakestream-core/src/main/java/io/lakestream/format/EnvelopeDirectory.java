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
 * The checked directory of an {@link Envelope}: where its sections are.
 *
 * @param totalBytes length of the whole object
 * @param entries the sections in order
 */
public record EnvelopeDirectory(long totalBytes, List<Entry> entries) {

  /**
   * Where one section is.
   *
   * @param id what the section is
   * @param offset where it starts in the object, in bytes
   * @param length its length in bytes
   * @param crc its checksum
   */
  public record Entry(int id, long offset, int length, int crc) {

    /** The section in {@code body}, checked against this entry. */
    public Section check(String key, ByteBuffer body) {
      String range = "section %d, bytes %d-%d".formatted(id, offset, offset + length - 1);
      if (body.remaining() != length) {
        throw new CorruptObject(key, range, length + " bytes", body.remaining() + " bytes");
      }
      int found = Checksum.of(body);
      if (found != crc) {
        throw new CorruptObject(key, range, Checksum.text(crc), Checksum.text(found));
      }
      return new Section(id, body, crc);
    }
  }

  public EnvelopeDirectory {
    entries = List.copyOf(entries);
  }

  /**
   * The directory at the start of {@code bytes}, which may hold more or (for a range read) not the
   * whole object.
   *
   * @throws CorruptObject if the directory is damaged or is cut off
   */
  public static EnvelopeDirectory decode(
      String key, ObjectKind kind, UUID namespace, ByteBuffer bytes) {
    ByteBuffer source = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    int start = source.position();
    int sections = Preamble.read(key, kind, source);
    int directoryBytes = Envelope.directoryBytes(sections);
    if (bytes.remaining() < directoryBytes) {
      throw new CorruptObject(
          key, "its directory", directoryBytes + " bytes", bytes.remaining() + " bytes");
    }
    int crc = source.getInt(start + directoryBytes - Integer.BYTES);
    int found = Checksum.of(bytes.slice(start, directoryBytes - Integer.BYTES));
    if (crc != found) {
      throw new CorruptObject(
          key, "bytes 0-" + (directoryBytes - 1), Checksum.text(crc), Checksum.text(found));
    }
    Preamble.checkNamespace(key, namespace, source);
    long total = Integer.toUnsignedLong(source.getInt());
    return new EnvelopeDirectory(total, entries(key, source, sections, total));
  }

  private static List<Entry> entries(String key, ByteBuffer source, int sections, long total) {
    List<Entry> entries = new ArrayList<>(sections);
    long offset = Envelope.directoryBytes(sections);
    for (int i = 0; i < sections; i++) {
      Entry entry = new Entry(source.getInt(), offset, source.getInt(), source.getInt());
      entries.add(entry);
      offset += entry.length();
      if (entry.length() < 0 || offset > total) {
        throw new CorruptObject(
            key, "its section table", "sections within " + total + " bytes", "more");
      }
    }
    if (offset != total) {
      throw new CorruptObject(key, "its section table", total + " bytes", offset + " bytes");
    }
    return entries;
  }
}
