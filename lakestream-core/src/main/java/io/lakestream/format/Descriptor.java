// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.UnknownFieldSet;
import io.lakestream.model.CpLayout;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.StepInfo;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * What the stream knows of one published TGB: who wrote it and where its bytes are.
 *
 * @param producer id of the producer that wrote it
 * @param epoch the term in which it did
 * @param seq its number among the producer's TGBs, dense from 0 over all epochs
 * @param offset the producer's position in its input after this TGB
 * @param version the manifest version that published it
 * @param image where its bytes are
 * @param sliceIndex where its slices are
 * @param cpLayout how its sequences are dealt to context-parallel ranks
 * @param schemaId key into the stream's schema table
 * @param extra fields of a newer minor version, kept as they are
 */
public record Descriptor(
    String producer,
    long epoch,
    long seq,
    String offset,
    long version,
    ImageLocation image,
    SliceIndex sliceIndex,
    CpLayout cpLayout,
    long schemaId,
    UnknownFieldSet extra) {

  public Descriptor {
    checkOffset(offset);
    if (epoch < 0 || seq < 0 || version < 0 || image.lastSeq() < seq) {
      throw new MalformedRecord(
          "batch %d of epoch %d in version %d, in an object up to batch %d"
              .formatted(seq, epoch, version, image.lastSeq()));
    }
  }

  /**
   * Checks a user's offset.
   *
   * @throws InvalidRequest if it is too long
   */
  public static void checkOffset(String offset) {
    int bytes = offset.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > FormatLimits.OFFSET_BYTES_MAX) {
      throw new InvalidRequest(
          "an offset has at most %d bytes in UTF-8, not %d: keep the rest elsewhere and name it"
              .formatted(FormatLimits.OFFSET_BYTES_MAX, bytes));
    }
  }

  /** The descriptor as a given manifest version publishes it. */
  public Descriptor publishedIn(long newVersion) {
    return new Descriptor(
        producer, epoch, seq, offset, newVersion, image, sliceIndex, cpLayout, schemaId, extra);
  }

  /** Keys of the objects that hold the image, in order. */
  public List<String> objectKeys() {
    return image.keys(producer, epoch);
  }

  /** Key of the object that has its provenance, if that did not fit the footer. */
  public String provenanceKey() {
    return Names.provenance(producer, epoch, seq, image.random());
  }

  /** Where the bytes of a range of the image are, in order: see {@link ImageLocation#locate}. */
  public List<ImageLocation.ObjectRange> locate(SliceIndex.Range range) {
    return image.locate(objectKeys(), range);
  }

  /** What is told of it as a step. */
  public StepInfo info(long step) {
    return new StepInfo(
        step,
        version,
        producer,
        epoch,
        seq,
        offset,
        objectKeys(),
        image.objectOffset(),
        image.length(),
        HexFormat.of().toHexDigits(image.footerCrc()));
  }
}
