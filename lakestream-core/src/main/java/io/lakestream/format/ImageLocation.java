// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.model.CorruptObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Where the image of a TGB is stored: inside one object (alone or bundled with others), or cut over
 * several. Object keys are derived from it and the producer, never stored.
 *
 * @param random the random part of the object's name
 * @param lastSeq the last seq in the object
 * @param objectOffset where the image starts in its object, in bytes
 * @param length the image's length in bytes
 * @param partBytes 0 if the image is in one object, else the length of each of its parts but the
 *     last
 * @param footerLength the footer's length in bytes
 * @param footerCrc the footer's checksum
 */
public record ImageLocation(
    long random,
    long lastSeq,
    long objectOffset,
    long length,
    long partBytes,
    int footerLength,
    int footerCrc) {

  public ImageLocation {
    long frame = TgbImage.HEADER_BYTES + (long) footerLength + TgbImage.TAIL_BYTES;
    if (footerLength <= 0 || length <= frame || length > FormatLimits.IMAGE_BYTES_MAX) {
      throw new MalformedRecord(
          "an image of %d bytes with a footer of %d".formatted(length, footerLength));
    }
    if (objectOffset < 0 || objectOffset > FormatLimits.IMAGE_BYTES_MAX) {
      throw new MalformedRecord("an image at byte %d of its object".formatted(objectOffset));
    }
    if (partBytes < 0
        || (partBytes > 0 && objectOffset > 0)
        || (partBytes > 0 && (length - 1) / partBytes >= FormatLimits.PARTS_MAX)) {
      throw new MalformedRecord(
          "an image of %d bytes at %d in parts of %d".formatted(length, objectOffset, partBytes));
    }
  }

  /** A range of one stored object. */
  public record ObjectRange(String key, long offset, long length) {}

  /**
   * Where the bytes of a range of the image are, in order.
   *
   * @param keys the {@link #keys} of the image
   * @throws CorruptObject if the range does not lie within the image
   */
  public List<ObjectRange> locate(List<String> keys, SliceIndex.Range range) {
    if (range.offset() < 0 || range.length() < 1 || range.offset() > length - range.length()) {
      throw new CorruptObject(
          keys.get(0),
          "bytes %d-%d".formatted(range.offset(), range.offset() + range.length() - 1),
          "a range of an image of %d bytes".formatted(length),
          range.length() + " bytes");
    }
    if (partBytes == 0) {
      return List.of(new ObjectRange(keys.get(0), objectOffset + range.offset(), range.length()));
    }
    List<ObjectRange> ranges = new ArrayList<>();
    long end = range.offset() + range.length();
    for (long start = range.offset(); start < end; ) {
      int part = Math.toIntExact(start / partBytes);
      long skipped = start % partBytes;
      long taken = Math.min(end - start, partBytes - skipped);
      ranges.add(new ObjectRange(keys.get(part), skipped, taken));
      start += taken;
    }
    return ranges;
  }

  /** The keys of all objects that hold the image, in order. */
  List<String> keys(String producer, long epoch) {
    if (partBytes == 0) {
      return List.of(Names.data(producer, epoch, lastSeq, random));
    }
    return LongStream.rangeClosed(0, (length - 1) / partBytes)
        .mapToObj(part -> Names.dataPart(producer, epoch, lastSeq, random, part))
        .toList();
  }

  /** The range of the footer inside the image. */
  public SliceIndex.Range footer() {
    return new SliceIndex.Range(length - TgbImage.TAIL_BYTES - footerLength, footerLength);
  }
}
