// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nobody waits while his condition holds: otherwise these tests do not end. */
@Timeout(60)
final class SystemMonitorTest {
  private final Tasks tasks = Environment.system().tasks();
  private final Monitor monitor = tasks.monitor();
  private final ArrayDeque<Integer> queue = new ArrayDeque<>();

  private void put(int item, int capacity) throws InterruptedException {
    monitor.lock();
    try {
      monitor.await(() -> queue.size() < capacity);
      queue.add(item);
    } finally {
      monitor.unlock();
    }
  }

  private int take() throws InterruptedException {
    monitor.lock();
    try {
      monitor.await(() -> !queue.isEmpty());
      return queue.remove();
    } finally {
      monitor.unlock();
    }
  }

  @Test
  void everyItemOfABoundedQueueIsTakenOnceByManyThreads() throws InterruptedException {
    int threads = 6;
    int each = 5_000;
    AtomicInteger sum = new AtomicInteger();
    List<Tasks.Task> running = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      running.add(tasks.start("putter", () -> uninterrupted(each, i -> put(i, 3))));
      running.add(tasks.start("taker", () -> uninterrupted(each, i -> sum.addAndGet(take()))));
    }
    for (Tasks.Task task : running) {
      task.join();
    }
    assertThat(sum).hasValue(threads * each * (each - 1) / 2);
    assertThat(queue).isEmpty();
  }

  /** A step of a thread. */
  @FunctionalInterface
  private interface Step {
    void run(int number) throws InterruptedException;
  }

  private static void uninterrupted(int count, Step step) {
    try {
      for (int i = 0; i < count; i++) {
        step.run(i);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aWaitEndsWhenItsTimeIsOver() throws InterruptedException {
    monitor.lock();
    try {
      assertThat(monitor.await(() -> false, TimeUnit.MILLISECONDS.toNanos(5))).isFalse();
      assertThat(monitor.await(() -> false, 0)).isFalse();
      assertThat(monitor.await(() -> true, 0)).isTrue();
    } finally {
      monitor.unlock();
    }
  }

  @Test
  void anInterruptedWaiterPassesTheWakeUpOn() throws InterruptedException {
    for (int round = 0; round < 200; round++) {
      AtomicBoolean isOpen = new AtomicBoolean();
      AtomicInteger through = new AtomicInteger();
      List<Tasks.Task> waiting = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        waiting.add(tasks.start("waiter", () -> countWhenOpen(isOpen, through)));
      }
      waiting.get(round % 3).interrupt();
      monitor.lock();
      isOpen.set(true);
      monitor.unlock();
      for (Tasks.Task task : waiting) {
        task.join();
      }
      assertThat(through.get()).isBetween(2, 3);
    }
  }

  private void countWhenOpen(AtomicBoolean isOpen, AtomicInteger through) {
    monitor.lock();
    try {
      monitor.await(isOpen::get);
      through.incrementAndGet();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      monitor.unlock();
    }
  }

  @Test
  void anInterruptEndsAWait() {
    Thread.currentThread().interrupt();
    monitor.lock();
    try {
      assertThatExceptionOfType(InterruptedException.class)
          .isThrownBy(() -> monitor.await(() -> false));
    } finally {
      monitor.unlock();
    }
  }
}
