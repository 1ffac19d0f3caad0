// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of a manifest's tail in its encoded form: the descriptors of at most {@link
 * FormatLimits#CHUNK_STEPS} steps, ending at an aligned step. Once full it never changes, so it
 * goes from version to version, and at last into a segment, byte for byte.
 *
 * @param firstStep step of its first descriptor
 * @param count number of its descriptors
 * @param section its bytes and their checksum
 */
public record Chunk(long firstStep, int count, Section section) {
  static final int SECTION_ID = 2;

  /** A chunk of a block of descriptors. */
  public static Chunk of(DescriptorBlock block) {
    ByteBuffer bytes = ByteBuffer.wrap(block.encode());
    return new Chunk(
        block.firstStep(),
        block.descriptors().size(),
        new Section(SECTION_ID, bytes, Checksum.of(bytes)));
  }

  /** One past its last step. */
  public long endStep() {
    return firstStep + count;
  }

  /** Whether no more steps belong to this chunk. */
  public boolean isFull() {
    return endStep() % FormatLimits.CHUNK_STEPS == 0;
  }

  /** Encoded length in bytes. */
  public int bytes() {
    return section.body().remaining();
  }

  /**
   * Its descriptors.
   *
   * @param key the object that holds it, for messages
   * @throws CorruptObject if they are not those of its steps
   */
  public DescriptorBlock decode(String key) {
    DescriptorBlock block = DescriptorBlock.decode(key, section.body());
    if (block.firstStep() != firstStep || block.descriptors().size() != count) {
      throw new CorruptObject(
          key,
          "a chunk of descriptors",
          "steps %d to %d".formatted(firstStep, endStep() - 1),
          "steps %d to %d".formatted(block.firstStep(), block.endStep() - 1));
    }
    return block;
  }

  /**
   * The chunks of a tail with more descriptors at its end: only the last chunk is written anew.
   *
   * @param key the object that holds the chunks, for messages
   */
  static List<Chunk> append(
      String key, List<Chunk> chunks, long nextStep, List<Descriptor> descriptors) {
    List<Chunk> grown = new ArrayList<>(chunks);
    int used = 0;
    long step = nextStep;
    while (used < descriptors.size()) {
      int room = FormatLimits.CHUNK_STEPS - (int) (step % FormatLimits.CHUNK_STEPS);
      int taken = Math.min(room, descriptors.size() - used);
      List<Descriptor> part = descriptors.subList(used, used + taken);
      Chunk last = grown.isEmpty() ? null : grown.get(grown.size() - 1);
      if (last != null && !last.isFull()) {
        DescriptorBlock block = last.decode(key).append(part);
        grown.set(grown.size() - 1, of(block));
      } else {
        grown.add(of(DescriptorBlock.of(step, part)));
      }
      used += taken;
      step += taken;
    }
    return grown;
  }
}
