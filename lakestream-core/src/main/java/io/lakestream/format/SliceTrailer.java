// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of a stored slice, which makes one range read of a slice checkable by itself.
 *
 * <pre>
 * slice   := block …, trailer
 * trailer := { length u32 } of every block but the last, { crc32c u32 } of every block, blocks u32
 * </pre>
 *
 * Integers are little-endian; the last block's length follows from the slice's.
 */
public final class SliceTrailer {
  private static final int WORD = Integer.BYTES;

  private SliceTrailer() {}

  /** Stored length in bytes of a trailer of {@code blocks} blocks. */
  static int bytes(int blocks) {
    return 2 * blocks * WORD;
  }

  /** The trailer of blocks with these lengths and checksums. */
  static ByteBuffer encode(List<Integer> lengths, List<Integer> crcs) {
    ByteBuffer trailer = ByteBuffer.allocate(bytes(lengths.size())).order(ByteOrder.LITTLE_ENDIAN);
    lengths.subList(0, lengths.size() - 1).forEach(trailer::putInt);
    crcs.forEach(trailer::putInt);
    trailer.putInt(lengths.size());
    return trailer.flip();
  }

  /**
   * The blocks of a stored slice, each checked.
   *
   * @param key the object that the slice was read from, for messages
   * @param offset where the slice starts in that object, for messages
   * @param stored the slice as stored, trailer included
   * @throws CorruptObject if the bytes are not those that were written
   */
  public static List<ByteBuffer> check(String key, long offset, ByteBuffer stored) {
    int end = stored.limit();
    int blocks =
        stored.remaining() < WORD
            ? 0
            : stored.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(end - WORD);
    if (blocks < 1 || blocks > (stored.remaining() - 1) / bytes(1)) {
      throw new CorruptObject(
          key,
          range(offset + Math.max(0, stored.remaining() - WORD), WORD),
          "a number of blocks that fits %d bytes".formatted(stored.remaining()),
          Integer.toString(blocks));
    }
    ByteBuffer trailer =
        stored.slice(end - bytes(blocks), bytes(blocks)).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer data = stored.slice(stored.position(), stored.remaining() - bytes(blocks));
    return checkBlocks(key, offset, data, trailer, blocks);
  }

  private static List<ByteBuffer> checkBlocks(
      String key, long offset, ByteBuffer data, ByteBuffer trailer, int blocks) {
    List<ByteBuffer> checked = new ArrayList<>(blocks);
    int start = 0;
    for (int i = 0; i < blocks; i++) {
      boolean isLast = i == blocks - 1;
      int length = isLast ? data.remaining() - start : trailer.getInt(i * WORD);
      if (length < 1 || length > data.remaining() - start) {
        throw new CorruptObject(
            key,
            range(offset + start, data.remaining() - start),
            "a block within the slice",
            length + " bytes");
      }
      ByteBuffer block = data.slice(start, length);
      int expected = trailer.getInt((blocks - 1 + i) * WORD);
      int found = Checksum.of(block);
      if (found != expected) {
        throw new CorruptObject(
            key, range(offset + start, length), Checksum.text(expected), Checksum.text(found));
      }
      checked.add(block);
      start += length;
    }
    return checked;
  }

  private static String range(long offset, long length) {
    return "bytes %d-%d".formatted(offset, offset + length - 1);
  }
}
