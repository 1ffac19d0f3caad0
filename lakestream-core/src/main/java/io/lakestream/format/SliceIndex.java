// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Where the slices of an image are, as far as its descriptor says. The slices lie back to back in
 * (d,c) order behind the image's header, so their stored lengths are enough.
 */
public sealed interface SliceIndex {

  /** All slices have one stored length. */
  record Uniform(long length) implements SliceIndex {
    public Uniform {
      checkLength(length);
    }
  }

  /** The stored length of each slice, in (d,c) order. */
  record Lengths(List<Long> lengths) implements SliceIndex {
    public Lengths {
      lengths = List.copyOf(lengths);
      lengths.forEach(SliceIndex::checkLength);
    }
  }

  /** Only the footer says. */
  record InFooter() implements SliceIndex {}

  private static void checkLength(long length) {
    if (length < 1 || length > FormatLimits.SLICE_BYTES_MAX) {
      throw new MalformedRecord("a slice of " + length + " bytes");
    }
  }

  /** The shortest index of slices of these stored lengths. */
  static SliceIndex of(List<Long> lengths) {
    if (lengths.stream().distinct().count() == 1) {
      return new Uniform(lengths.get(0));
    }
    boolean isShort = Varints.bytes(lengths) <= FormatLimits.SLICE_INDEX_BYTES_MAX;
    return isShort ? new Lengths(lengths) : new InFooter();
  }

  /**
   * A range of an image.
   *
   * @param offset first byte, from the image's start
   * @param length number of bytes
   */
  record Range(long offset, long length) {}

  /**
   * The range of the slice at {@code index}.
   *
   * @param key the object that the index describes, for messages
   * @throws IllegalStateException if only the footer says
   */
  default Range locate(Supplier<String> key, int index) {
    if (this instanceof Uniform uniform) {
      return new Range(TgbImage.HEADER_BYTES + (long) index * uniform.length(), uniform.length());
    }
    if (this instanceof Lengths lengths) {
      if (index >= lengths.lengths().size()) {
        throw new CorruptObject(
            key.get(), "its slice index", "slice " + index, lengths.lengths().size() + " slices");
      }
      long offset = TgbImage.HEADER_BYTES;
      for (int i = 0; i < index; i++) {
        offset += lengths.lengths().get(i);
      }
      return new Range(offset, lengths.lengths().get(index));
    }
    throw new IllegalStateException("the footer of " + key.get() + " has the slice index");
  }

  /** Unsigned LEB128 numbers, back to back. */
  final class Varints {
    private Varints() {}

    static int bytes(List<Long> numbers) {
      return numbers.stream().mapToInt(n -> Math.max(1, (70 - leadingZeros(n)) / 7)).sum();
    }

    private static int leadingZeros(long number) {
      return Long.numberOfLeadingZeros(number);
    }

    static byte[] encode(List<Long> numbers) {
      ByteBuffer target = ByteBuffer.allocate(bytes(numbers));
      for (long number : numbers) {
        long rest = number;
        while ((rest & ~0x7fL) != 0) {
          target.put((byte) ((rest & 0x7f) | 0x80));
          rest >>>= 7;
        }
        target.put((byte) rest);
      }
      return target.array();
    }

    static List<Long> decode(ByteBuffer source) {
      List<Long> numbers = new ArrayList<>();
      long number = 0;
      int shift = 0;
      while (source.hasRemaining()) {
        byte b = source.get();
        number |= (long) (b & 0x7f) << shift;
        shift = b < 0 ? shift + 7 : 0;
        if (shift >= Long.SIZE - 1) {
          throw new MalformedRecord("a slice length of more than 63 bits");
        }
        if (shift == 0) {
          numbers.add(number);
          number = 0;
        }
      }
      if (shift != 0) {
        throw new MalformedRecord("a slice length that is cut off");
      }
      return numbers;
    }
  }
}
