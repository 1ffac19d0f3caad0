// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs several things at once, each in a thread of its own, all released at the same moment. */
final class Together {
  private Together() {}

  /**
   * The results, in the order of the things. As soon as one fails, the others are interrupted, and
   * what it threw is thrown.
   */
  static <T> List<T> run(List<Callable<T>> things) throws Exception {
    CyclicBarrier start = new CyclicBarrier(things.size());
    ExecutorService threads = Executors.newFixedThreadPool(things.size());
    CompletionService<T> ended = new ExecutorCompletionService<>(threads);
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> thing : things) {
        futures.add(ended.submit(() -> runFrom(start, thing)));
      }
      for (int i = 0; i < things.size(); i++) {
        T unused = result(ended.take());
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(result(future));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  private static <T> T runFrom(CyclicBarrier start, Callable<T> thing) throws Exception {
    int unused = start.await();
    return thing.call();
  }

  private static <T> T result(Future<T> future) throws Exception {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw e;
    }
  }
}
