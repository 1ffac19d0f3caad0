// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.ByteString;
import io.lakestream.format.proto.GenerationMessage;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.Generation;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The object of a generation. Its name says which, its content the rest.
 *
 * @param generation the generation
 * @param launch a random id that no other launch has: it says whose the record is; the first
 *     writers of this format put none
 */
public record GenerationRecord(Generation generation, Optional<Id128> launch) {
  private static final int SECTION = 1;

  /** The object's key. */
  public String key() {
    return GroupNames.generation(generation.group(), generation.number());
  }

  /** The object's bytes. */
  public List<ByteBuffer> encode(UUID namespace) {
    GenerationMessage.Builder message =
        GenerationMessage.newBuilder()
            .setWorldSize(generation.worldSize())
            .setStartStep(generation.startStep())
            .setVersion(generation.version());
    launch.ifPresent(id -> message.setLaunch(ByteString.copyFrom(id.toBytes())));
    Section section = Section.of(SECTION, message.build());
    return new Envelope(ObjectKind.GENERATION, namespace, List.of(section)).encode();
  }

  /**
   * The record in the bytes of its object.
   *
   * @throws CorruptObject if the bytes are no generation
   */
  public static GenerationRecord decode(
      String group, long number, UUID namespace, ByteBuffer bytes) {
    String key = GroupNames.generation(group, number);
    Envelope envelope = Envelope.decode(key, ObjectKind.GENERATION, namespace, bytes);
    return Decoding.of(
        key,
        "its content",
        "a generation",
        () -> {
          GenerationMessage message =
              GenerationMessage.parseFrom(envelope.section(key, SECTION).body());
          Generation generation =
              new Generation(
                  group,
                  number,
                  message.getWorldSize(),
                  message.getStartStep(),
                  message.getVersion());
          return new GenerationRecord(
              generation,
              Optional.of(message.getLaunch())
                  .filter(launch -> !launch.isEmpty())
                  .map(launch -> Id128.read(key, "launch", launch)));
        });
  }
}
