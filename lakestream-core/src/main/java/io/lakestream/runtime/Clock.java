// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.runtime;

/** Time as the product sees it. Safe for use by several threads. */
public interface Clock {

  /** Nanoseconds since some fixed origin; never falls. */
  long nanoTime();

  /** Milliseconds since the epoch, for people and hints; correctness never rests on it. */
  long epochMillis();

  /** Sleeps for {@code nanos} nanoseconds; returns at once if that is not positive. */
  void sleep(long nanos) throws InterruptedException;
}
