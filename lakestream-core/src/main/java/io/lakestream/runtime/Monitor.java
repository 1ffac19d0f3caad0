// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.runtime;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A lock with conditions: the only way in which threads of the product wait for one another. Nobody
 * signals: a thread that waits is woken when its condition has become true, so no signal can be
 * forgotten and nobody is woken for nothing. Conditions read only what the lock guards, and are
 * tested by whichever thread holds it.
 */
public interface Monitor {

  /** Takes the lock, waiting for it if needed. Not re-entrant. */
  void lock();

  /** Gives the lock back. Only its holder may. */
  void unlock();

  /**
   * Gives the lock back until {@code condition} holds, and takes it again. The caller holds the
   * lock.
   */
  void await(BooleanSupplier condition) throws InterruptedException;

  /**
   * As {@link #await(BooleanSupplier)}, but for at most {@code nanos} nanoseconds.
   *
   * @return whether the condition holds
   */
  boolean await(BooleanSupplier condition, long nanos) throws InterruptedException;

  /** Does something that needs no wait while holding the lock, and returns what it returns. */
  default <T> T locked(Supplier<T> body) {
    lock();
    try {
      return body.get();
    } finally {
      unlock();
    }
  }

  /** As {@link #locked}, for what returns nothing. */
  default void change(Runnable body) {
    lock();
    try {
      body.run();
    } finally {
      unlock();
    }
  }

  /**
   * Waits until {@code condition} holds, and does something while it does. The caller does not hold
   * the lock.
   */
  default <T> T when(BooleanSupplier condition, Supplier<T> body) throws InterruptedException {
    lock();
    try {
      await(condition);
      return body.get();
    } finally {
      unlock();
    }
  }

  /**
   * Waits for at most {@code nanos} nanoseconds until {@code condition} holds. The caller does not
   * hold the lock.
   *
   * @return whether it held
   */
  default boolean pauseUntil(BooleanSupplier condition, long nanos) throws InterruptedException {
    lock();
    try {
      return await(condition, nanos);
    } finally {
      unlock();
    }
  }
}
