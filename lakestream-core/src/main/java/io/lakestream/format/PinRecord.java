// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.ByteString;
import io.lakestream.format.proto.PinMessage;
import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A promise that a live checkpoint may resume from a step. Its name is never used again.
 *
 * @param step the step
 * @param random what makes its name one of its own
 * @param label what it is for, for people
 * @param fork uuid of the namespace that holds the step by this pin, since it was forked from it
 */
public record PinRecord(long step, long random, String label, Optional<UUID> fork) {
  private static final int SECTION = 1;

  /** A pin of a checkpoint. */
  public PinRecord(long step, long random, String label) {
    this(step, random, label, Optional.empty());
  }

  public PinRecord {
    if (step < 0) {
      throw new MalformedRecord("a pin at step " + step);
    }
  }

  /** Its object's key. */
  public String key() {
    return Names.pin(step, random);
  }

  /** The object's bytes. */
  public List<ByteBuffer> encode(UUID namespace) {
    PinMessage.Builder message = PinMessage.newBuilder().setStep(step).setLabel(label);
    fork.ifPresent(uuid -> message.setFork(ByteString.copyFrom(Id128.of(uuid).toBytes())));
    Section section = Section.of(SECTION, message.build());
    return new Envelope(ObjectKind.PIN, namespace, List.of(section)).encode();
  }

  /**
   * The pin in an object's bytes.
   *
   * @throws CorruptObject if the bytes are not that pin
   */
  public static PinRecord decode(String key, UUID namespace, ByteBuffer bytes) {
    Envelope envelope = Envelope.decode(key, ObjectKind.PIN, namespace, bytes);
    return Decoding.of(
        key,
        "its content",
        "a pin of this name",
        () -> {
          PinMessage message = PinMessage.parseFrom(envelope.section(key, SECTION).body());
          long random = HexFormat.fromHexDigitsToLong(key, key.length() - 16, key.length());
          Optional<UUID> fork =
              Optional.of(message.getFork())
                  .filter(uuid -> !uuid.isEmpty())
                  .map(uuid -> Id128.read(key, "the uuid of a fork", uuid).toUuid());
          PinRecord pin = new PinRecord(message.getStep(), random, message.getLabel(), fork);
          if (!pin.key().equals(key)) {
            throw new MalformedRecord("a pin of " + pin.key());
          }
          return pin;
        });
  }
}
