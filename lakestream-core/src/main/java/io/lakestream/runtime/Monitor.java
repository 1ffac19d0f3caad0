// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.runtime;

import java.util.function.BooleanSupplier;

/**
 * A lock with one wait set: the only way in which threads of the product wait for one another.
 * Conditions are changed and tested under the lock.
 */
public interface Monitor {

  /** Takes the lock, waiting for it if needed. Not re-entrant. */
  void lock();

  /** Gives the lock back. Only its holder may. */
  void unlock();

  /**
   * Releases the lock until {@code condition} holds, which is tested at each signal, and takes it
   * again. The caller holds the lock.
   */
  void await(BooleanSupplier condition) throws InterruptedException;

  /**
   * As {@link #await(BooleanSupplier)}, but for at most {@code nanos} nanoseconds.
   *
   * @return whether the condition holds
   */
  boolean await(BooleanSupplier condition, long nanos) throws InterruptedException;

  /** Makes all waiters test their conditions. The caller holds the lock. */
  void signalAll();
}
