// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import java.util.ArrayList;
import java.util.List;

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
    if (objectOffset < 0 || length <= 0 || partBytes < 0 || footerLength <= 0) {
      throw new AssertionError("an image at %d of %d bytes".formatted(objectOffset, length));
    }
    if (partBytes > 0 && (length - 1) / partBytes >= FormatLimits.PARTS_MAX) {
      throw new AssertionError("an image of more than %d parts".formatted(FormatLimits.PARTS_MAX));
    }
  }

  /** A range of one stored object. */
  public record ObjectRange(String key, long offset, long length) {}

  /** Where the bytes of a range of the image are, in order. */
  public List<ObjectRange> locate(String producer, long epoch, SliceIndex.Range range) {
    if (partBytes == 0) {
      String key = Names.data(producer, epoch, lastSeq, random);
      return List.of(new ObjectRange(key, objectOffset + range.offset(), range.length()));
    }
    List<ObjectRange> ranges = new ArrayList<>();
    long end = range.offset() + range.length();
    for (long start = range.offset(); start < end; ) {
      long part = start / partBytes;
      long stop = Math.min(end, (part + 1) * partBytes);
      String key = Names.dataPart(producer, epoch, lastSeq, random, part);
      ranges.add(new ObjectRange(key, start - part * partBytes, stop - start));
      start = stop;
    }
    return ranges;
  }

  /** The keys of all objects that hold the image. */
  List<String> keys(String producer, long epoch) {
    return locate(producer, epoch, new SliceIndex.Range(0, length)).stream()
        .map(ObjectRange::key)
        .toList();
  }

  /** The range of the footer inside the image. */
  public SliceIndex.Range footer() {
    return new SliceIndex.Range(length - TgbImage.TAIL_BYTES - footerLength, footerLength);
  }
}
