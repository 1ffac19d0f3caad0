// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.util.List;

/**
 * What the stream says of a step: the same for every reader, for ever.
 *
 * @param step the step
 * @param version the manifest version that published it
 * @param producer id of the producer that wrote it
 * @param epoch the producer's term
 * @param seq its number among the producer's batches
 * @param offset the producer's position in its input after it
 * @param objects keys of the objects that hold it, in order
 * @param objectOffset where it starts in the first of them, in bytes
 * @param bytes its length, footer included
 * @param footerCrc CRC32C of its footer, which has the checksums of all else, in hexadecimal
 */
public record StepInfo(
    long step,
    long version,
    String producer,
    long epoch,
    long seq,
    String offset,
    List<String> objects,
    long objectOffset,
    long bytes,
    String footerCrc) {
  public StepInfo {
    objects = List.copyOf(objects);
  }
}
