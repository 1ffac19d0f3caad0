// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.format.proto.BoundaryMessage;
import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/**
 * The highest manifest version that is dead. The boundaries of a namespace are a chain of numbered
 * objects, each higher than the one before and none ever deleted.
 *
 * @param index place in the chain, from 1; 0 means that nothing is dead yet
 * @param version versions at or below are dead
 */
public record Boundary(long index, long version) {
  /** Nothing is dead. */
  public static final Boundary NONE = new Boundary(0, 0);

  private static final int SECTION = 1;

  public Boundary {
    if (index < 0 || version < 0 || (index == 0) != (version == 0)) {
      throw new MalformedRecord("boundary %d at version %d".formatted(index, version));
    }
  }

  /** The object's bytes. */
  public List<ByteBuffer> encode(UUID namespace) {
    BoundaryMessage message =
        BoundaryMessage.newBuilder().setIndex(index).setVersion(version).build();
    Section section = Section.of(SECTION, message);
    return new Envelope(ObjectKind.BOUNDARY, namespace, List.of(section)).encode();
  }

  /**
   * The boundary in the {@code index}-th object of the chain.
   *
   * @throws CorruptObject if the bytes are not that boundary
   */
  public static Boundary decode(long index, UUID namespace, ByteBuffer bytes) {
    String key = Names.boundary(index);
    Envelope envelope = Envelope.decode(key, ObjectKind.BOUNDARY, namespace, bytes);
    return Decoding.of(
        key,
        "its content",
        "boundary " + index,
        () -> {
          BoundaryMessage message =
              BoundaryMessage.parseFrom(envelope.section(key, SECTION).body());
          if (message.getIndex() != index) {
            throw new MalformedRecord("boundary " + message.getIndex());
          }
          return new Boundary(index, message.getVersion());
        });
  }
}
