// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.format.proto.GenerationMessage;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.Generation;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/**
 * The object of a generation. Its name says which, its content the rest.
 *
 * @param generation the generation
 */
public record GenerationRecord(Generation generation) {
  private static final int SECTION = 1;

  /** The object's key. */
  public String key() {
    return GroupNames.generation(generation.group(), generation.number());
  }

  /** The object's bytes. */
  public List<ByteBuffer> encode(UUID namespace) {
    GenerationMessage message =
        GenerationMessage.newBuilder()
            .setWorldSize(generation.worldSize())
            .setStartStep(generation.startStep())
            .setVersion(generation.version())
            .build();
    Section section = Section.of(SECTION, message);
    return new Envelope(ObjectKind.GENERATION, namespace, List.of(section)).encode();
  }

  /**
   * The generation in the bytes of its object.
   *
   * @throws CorruptObject if the bytes are no generation
   */
  public static Generation decode(String group, long number, UUID namespace, ByteBuffer bytes) {
    String key = GroupNames.generation(group, number);
    Envelope envelope = Envelope.decode(key, ObjectKind.GENERATION, namespace, bytes);
    return Decoding.of(
        key,
        "its content",
        "a generation",
        () -> {
          GenerationMessage message =
              GenerationMessage.parseFrom(envelope.section(key, SECTION).body());
          return new Generation(
              group, number, message.getWorldSize(), message.getStartStep(), message.getVersion());
        });
  }
}
