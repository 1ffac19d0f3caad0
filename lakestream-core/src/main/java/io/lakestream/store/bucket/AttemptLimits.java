// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store.bucket;

import java.time.Duration;

/** How long requests to a store of buckets are waited for. Without a limit, some never end. */
public final class AttemptLimits {
  /** To connect. */
  public static final Duration CONNECT = Duration.ofSeconds(5);

  /** Without a byte from the server, which may take its time over a long object. */
  public static final Duration SILENCE = Duration.ofSeconds(30);

  /** An answer that has no body to speak of. */
  public static final Duration ANSWER = Duration.ofSeconds(10);

  /** The slowest transfer that is waited for. */
  private static final long BYTES_PER_SECOND_MIN = 1 << 20;

  private AttemptLimits() {}

  /** How long an attempt may take that moves so many bytes, connecting included. */
  public static Duration attempt(long bytes) {
    return ANSWER.plusSeconds(bytes / BYTES_PER_SECOND_MIN);
  }
}
