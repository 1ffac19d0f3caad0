// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.lifecycle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Threads that work beside the one that made the crew. If one fails, all end: those that meet, when
 * they do, the others when the crew is closed.
 */
final class Crew implements AutoCloseable {
  private final Phaser meeting;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * A crew without threads.
   *
   * @param meeting how many threads wait for each other in {@link #meet}
   */
  Crew(int meeting) {
    this.meeting = new Phaser(meeting);
  }

  /** The body of a thread. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException, InterruptedException;
  }

  /** Starts a thread. */
  void start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException | InterruptedException | RuntimeException | Error e) {
                failure.compareAndSet(null, e);
                meeting.forceTermination();
              }
            },
            "lakestream-bench-" + name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  /**
   * Waits until all are here who meet.
   *
   * @throws IOException what a thread failed with, as {@link #requireSound}
   */
  void meet() throws IOException, InterruptedException {
    if (meeting.awaitAdvanceInterruptibly(meeting.arrive()) < 0) {
      requireSound();
    }
  }

  /**
   * Makes sure that no thread has failed.
   *
   * @throws IOException what it failed with
   * @throws RuntimeException the same
   */
  void requireSound() throws IOException {
    Throwable cause = failure.get();
    if (cause instanceof IOException own) {
      throw own;
    }
    if (cause instanceof RuntimeException own) {
      throw own;
    }
    if (cause != null) {
      throw new IOException("a thread of the benchmark ended: " + cause.getMessage(), cause);
    }
  }

  /** Waits until all threads are done. */
  void join() throws IOException, InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    requireSound();
  }

  /** Tells all threads to end and waits until they did. */
  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
    boolean isInterrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
