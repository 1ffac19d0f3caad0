// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.format.proto.HintMessage;
import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/**
 * Where to start looking for the head. Written now and then, replaced in place, never trusted.
 *
 * @param version a manifest version that existed
 * @param boundaryIndex a place in the boundary chain that existed, or 0
 */
public record Hint(long version, long boundaryIndex) {
  /** Nothing is known. */
  public static final Hint NONE = new Hint(0, 0);

  private static final int SECTION = 1;

  public Hint {
    if (version < 0 || boundaryIndex < 0) {
      throw new MalformedRecord(
          "a hint to version %d and boundary %d".formatted(version, boundaryIndex));
    }
  }

  /** The object's bytes. */
  public List<ByteBuffer> encode(UUID namespace) {
    HintMessage message =
        HintMessage.newBuilder().setVersion(version).setBoundaryIndex(boundaryIndex).build();
    Section section = Section.of(SECTION, message);
    return new Envelope(ObjectKind.HINT, namespace, List.of(section)).encode();
  }

  /**
   * The hint in an object's bytes.
   *
   * @throws CorruptObject if the bytes are no hint
   */
  public static Hint decode(UUID namespace, ByteBuffer bytes) {
    Envelope envelope = Envelope.decode(Names.HINT, ObjectKind.HINT, namespace, bytes);
    return Decoding.of(
        Names.HINT,
        "its content",
        "a hint",
        () -> {
          Section section = envelope.section(Names.HINT, SECTION);
          HintMessage message = HintMessage.parseFrom(section.body());
          return new Hint(message.getVersion(), message.getBoundaryIndex());
        });
  }
}
