// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import io.lakestream.runtime.Monitor;
import io.lakestream.runtime.Tasks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Threads that make attempts for others: as many as are needed at once, up to a bound. One that has
 * nothing to do for a while ends. Each waits in a lock of its own, so handing over an attempt wakes
 * one thread and disturbs none.
 */
final class AttemptThreads {
  /** Longer than the pauses between reads of a job that reads at all. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Tasks tasks;
  private final int threadsMax;
  private final Monitor monitor;
  private final ArrayDeque<Worker> idle = new ArrayDeque<>();
  private int threads;
  private boolean isClosed;

  AttemptThreads(Tasks tasks, int threadsMax) {
    this.tasks = tasks;
    this.threadsMax = threadsMax;
    this.monitor = tasks.monitor();
  }

  /** An attempt that a thread makes, or has made. */
  interface Attempt {
    /** Nobody waits for it any more: interrupts its thread, if it is still at it. */
    void letGo();
  }

  /** Has {@code body} run by a thread, or answers empty if all are busy or this is closed. */
  Optional<Attempt> start(Runnable body) {
    Worker worker = monitor.locked(this::take);
    if (worker == null) {
      return Optional.empty();
    }
    if (worker.task == null) {
      begin(worker);
    }
    Job job = new Job(worker, body);
    worker.monitor.change(() -> worker.job = job);
    return Optional.of(job);
  }

  /** An idle thread, or one that is not yet begun; null if there may be no other. */
  private @Nullable Worker take() {
    Worker worker = idle.pollLast();
    if (worker == null && !isClosed && threads < threadsMax) {
      threads++;
      return new Worker();
    }
    return worker;
  }

  private void begin(Worker worker) {
    boolean isBegun = false;
    try {
      worker.task = tasks.start("lakestream-read", worker::run);
      isBegun = true;
    } finally {
      if (!isBegun) {
        monitor.change(() -> threads--);
      }
    }
  }

  /** No more attempts; idle threads end now, the others when their attempts do. */
  void close() {
    List<Worker> waiting =
        monitor.locked(
            () -> {
              isClosed = true;
              List<Worker> all = new ArrayList<>(idle);
              idle.clear();
              return all;
            });
    waiting.forEach(worker -> worker.monitor.change(() -> worker.isOver = true));
  }

  /** Threads that there are, busy or idle. */
  int threads() {
    return monitor.locked(() -> threads);
  }

  private static final class Job implements Attempt {
    private final Worker worker;
    private final Runnable body;
    private boolean isLetGo;

    Job(Worker worker, Runnable body) {
      this.worker = worker;
      this.body = body;
    }

    /**
     * Runs it. Whether its thread may take another: an interrupt may have come too late for this
     * one, and must not meet the next.
     */
    boolean run() {
      body.run();
      return worker.monitor.locked(
          () -> {
            worker.job = null;
            return !isLetGo;
          });
    }

    @Override
    public void letGo() {
      worker.monitor.change(
          () -> {
            if (worker.job == this && worker.task != null) {
              isLetGo = true;
              worker.task.interrupt();
            }
          });
    }
  }

  private final class Worker {
    private final Monitor monitor = tasks.monitor();

    /** Set by whoever begins the thread, before it gets its first job. */
    private Tasks.@Nullable Task task;

    private @Nullable Job job;
    private boolean isOver;

    void run() {
      try {
        Job next = next();
        while (next != null && next.run() && giveBack()) {
          next = next();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        AttemptThreads.this.monitor.change(() -> threads--);
      }
    }

    private boolean giveBack() {
      return AttemptThreads.this.monitor.locked(() -> !isClosed && idle.add(this));
    }

    /** The next job, or null if the thread is to end. */
    private @Nullable Job next() throws InterruptedException {
      while (!monitor.pauseUntil(() -> job != null || isOver, IDLE_NANOS)) {
        // If it is not among the idle any more, somebody is about to give it a job.
        if (AttemptThreads.this.monitor.locked(() -> idle.remove(this))) {
          return null;
        }
      }
      return monitor.locked(() -> job);
    }
  }
}
