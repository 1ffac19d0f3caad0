// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.format.proto.ArchiveMessage;
import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A sealed, immutable object of retired producers.
 *
 * @param entries the producers, by id, each once
 */
public record ProducerArchive(List<ProducerEntry> entries) {
  private static final int SECTION = 1;

  public ProducerArchive {
    List<ProducerEntry> sorted = new ArrayList<>(entries);
    sorted.sort(Comparator.comparing(ProducerEntry::id));
    entries = List.copyOf(sorted);
  }

  /** One archive of several; where they know the same producer, the newest has the word. */
  public static ProducerArchive merge(List<ProducerArchive> newestFirst) {
    TreeMap<String, ProducerEntry> entries = new TreeMap<>();
    for (ProducerArchive archive : newestFirst) {
      archive.entries().forEach(entry -> entries.putIfAbsent(entry.id(), entry));
    }
    return new ProducerArchive(List.copyOf(entries.values()));
  }

  /** The entry of a producer. */
  public Optional<ProducerEntry> entry(String id) {
    return entries.stream().filter(entry -> entry.id().equals(id)).findFirst();
  }

  /** The object's bytes. */
  public List<ByteBuffer> encode(UUID namespace) {
    ArchiveMessage.Builder message = ArchiveMessage.newBuilder();
    entries.forEach(entry -> message.addEntries(entry.toMessage()));
    Section section = Section.of(SECTION, message.build());
    return new Envelope(ObjectKind.ARCHIVE, namespace, List.of(section)).encode();
  }

  /**
   * The archive in an object's bytes.
   *
   * @param key the object's key, which has the hash of its content
   * @throws CorruptObject if the bytes are not that archive
   */
  public static ProducerArchive decode(String key, UUID namespace, ByteBuffer bytes) {
    Envelope envelope = Envelope.decode(key, ObjectKind.ARCHIVE, namespace, bytes);
    String found = Names.archive(Id128.hashOf(List.of(bytes)));
    if (!found.equals(key)) {
      throw new CorruptObject(key, "its content", "what its name says", "that of " + found);
    }
    return Decoding.of(
        key,
        "its content",
        "an archive of producers",
        () -> {
          ArchiveMessage message = ArchiveMessage.parseFrom(envelope.section(key, SECTION).body());
          return new ProducerArchive(ProducerTable.entries(key, message.getEntriesList()));
        });
  }
}
