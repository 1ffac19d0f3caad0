// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.MessageLite;
import java.nio.ByteBuffer;

/**
 * One checksummed part of an {@link Envelope}.
 *
 * @param id what it is, within its kind of object
 * @param body its bytes, read-only
 * @param crc their checksum
 */
public record Section(int id, ByteBuffer body, int crc) {
  public Section {
    body = body.asReadOnlyBuffer();
  }

  /** A section of a message's bytes. */
  static Section of(int id, MessageLite message) {
    ByteBuffer body = ByteBuffer.wrap(message.toByteArray());
    return new Section(id, body, Checksum.of(body));
  }

  @Override
  public ByteBuffer body() {
    return body.duplicate();
  }
}
