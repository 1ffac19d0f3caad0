// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Tells a running command to end early. Safe for use by several threads.
 *
 * <p>A thread that is interrupted at the wrong moment loses the file that it is writing. So the
 * thread of a command is interrupted only inside the sections that it marks: in an {@linkplain
 * #interruptible interruptible} one by the request, and in a {@linkplain #bounded bounded} one,
 * which is what has to be done before the end, when the time for that is over.
 */
public final class Stop {
  private @Nullable Thread section;
  private boolean isBoundedSection;
  private boolean isExpired;

  // Read without the lock, which an interrupt that hangs would hold.
  private volatile boolean isRequested;
  private volatile boolean isDraining;
  private volatile int status;

  /** Whether the command should end. */
  public boolean isRequested() {
    return isRequested;
  }

  /** The exit status of a command that was asked to end. */
  public int status() {
    return status;
  }

  /** Whether the command has something to do before it ends, which may take some seconds. */
  public boolean isDraining() {
    return isDraining;
  }

  /** Says that the command has something to do before it ends. */
  public void drainFirst() {
    isDraining = true;
  }

  /** Asks the command to end with an exit status. */
  public synchronized void request(int newStatus) {
    status = newStatus;
    isRequested = true;
    if (section != null && !isBoundedSection) {
      section.interrupt();
    }
  }

  /** The time for what had to be done before the end is over. */
  public synchronized void expire() {
    isExpired = true;
    if (section != null) {
      section.interrupt();
    }
  }

  /**
   * Runs what may be given up when a stop is requested.
   *
   * @throws InterruptedException if it was requested before or is while this runs and waits
   */
  public <T> T interruptible(Callable<T> body) throws Exception {
    return run(body, false);
  }

  /** Runs what may be given up only when the time after a request is over. */
  public <T> T bounded(Callable<T> body) throws Exception {
    return run(body, true);
  }

  /** What deletes what it wrote, however it ends. */
  @FunctionalInterface
  public interface Tidying<T> {
    T run() throws IOException, InterruptedException;
  }

  /**
   * Runs what deletes what it wrote when it is stopped: it gets as much time for that as draining.
   *
   * @throws InterruptedException if a stop was requested; whatever that made fail is its cause
   */
  public <T> T tidying(Tidying<T> body) throws IOException, InterruptedException {
    drainFirst();
    try {
      return body.run();
    } catch (IOException | RuntimeException e) {
      if (!isRequested) {
        throw e;
      }
      InterruptedException stopped = new InterruptedException("stop was requested");
      stopped.initCause(e);
      throw stopped;
    }
  }

  private <T> T run(Callable<T> body, boolean isBounded) throws Exception {
    synchronized (this) {
      if (isBounded ? isExpired : isRequested) {
        throw new InterruptedException("stop was requested");
      }
      section = Thread.currentThread();
      isBoundedSection = isBounded;
    }
    try {
      return body.call();
    } finally {
      synchronized (this) {
        section = null;
        // A request that came too late to be noticed must not hit what follows.
        boolean unused = Thread.interrupted();
      }
    }
  }
}
