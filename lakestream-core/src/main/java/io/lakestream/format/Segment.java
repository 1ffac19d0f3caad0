// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A sealed, immutable run of {@link FormatLimits#SEGMENT_STEPS} descriptors: the full chunks of a
 * manifest's tail, byte for byte, so that whoever seals a range writes the same object.
 *
 * @param chunks its chunks, oldest first
 */
public record Segment(List<Chunk> chunks) {
  private static final int CHUNKS = FormatLimits.SEGMENT_STEPS / FormatLimits.CHUNK_STEPS;

  public Segment {
    chunks = List.copyOf(chunks);
    if (chunks.size() != CHUNKS
        || chunks.get(0).firstStep() % FormatLimits.SEGMENT_STEPS != 0
        || chunks.stream().anyMatch(chunk -> !chunk.isFull())) {
      throw new MalformedRecord("a segment of " + chunks);
    }
  }

  /** Step of its first descriptor. */
  public long firstStep() {
    return chunks.get(0).firstStep();
  }

  /** The object's bytes. */
  public List<ByteBuffer> encode(UUID namespace) {
    List<Section> sections = chunks.stream().map(Chunk::section).toList();
    return new Envelope(ObjectKind.SEGMENT, namespace, sections).encode();
  }

  /**
   * The segment in an object's bytes.
   *
   * @throws CorruptObject if it is not the segment that {@code reference} means
   */
  public static Segment decode(SegmentTree.Reference reference, UUID namespace, ByteBuffer bytes) {
    String key = reference.key();
    Envelope envelope = Envelope.decode(key, ObjectKind.SEGMENT, namespace, bytes);
    List<Section> sections =
        envelope.sections().stream().filter(section -> section.id() == Chunk.SECTION_ID).toList();
    if (sections.size() != CHUNKS) {
      throw new CorruptObject(
          key, "its directory", CHUNKS + " chunks", sections.size() + " chunks");
    }
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < CHUNKS; i++) {
      long first = reference.firstStep() + (long) i * FormatLimits.CHUNK_STEPS;
      chunks.add(new Chunk(first, FormatLimits.CHUNK_STEPS, sections.get(i)));
    }
    return new Segment(chunks);
  }
}
