// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.runtime;

/**
 * A lock with one wait set, the only way in which threads of the product wait for one another. The
 * usual rules hold: wait in a loop that tests the condition, change the condition under the lock.
 */
public interface Monitor {

  /** Takes the lock, waiting for it if needed. Not re-entrant. */
  void lock();

  /** Gives the lock back. Only its holder may. */
  void unlock();

  /** Releases the lock, waits for a signal, takes the lock again. May wake without a signal. */
  void await() throws InterruptedException;

  /** As {@link #await()}, for at most {@code nanos} nanoseconds. */
  void await(long nanos) throws InterruptedException;

  /** Wakes all waiters. The caller holds the lock. */
  void signalAll();
}
