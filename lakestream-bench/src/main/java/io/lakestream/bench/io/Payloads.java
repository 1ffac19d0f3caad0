// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.io;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * The bytes that both sides write: incompressible, different for every step, and in a fresh buffer
 * each time, as batches that were just packed are.
 */
final class Payloads {
  private final byte[] template;

  /** Payloads of {@code bytes} bytes each, at least eight. */
  Payloads(int bytes) {
    this.template = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(template);
  }

  int bytes() {
    return template.length;
  }

  /** The payload of a step, in memory of its own. */
  ByteBuffer of(long step) {
    ByteBuffer payload = ByteBuffer.wrap(template.clone()).order(ByteOrder.LITTLE_ENDIAN);
    payload.putLong(0, step);
    return payload;
  }

  /** The step whose payload these bytes start with. */
  static long step(ByteBuffer payload) {
    return payload.duplicate().order(ByteOrder.LITTLE_ENDIAN).getLong(payload.position());
  }
}
