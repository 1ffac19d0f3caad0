// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs several things at once, each in a thread of its own, all released at the same moment. */
final class Together {
  private Together() {}

  /** The results, in the order of the things; throws what the first of them threw that failed. */
  static <T> List<T> run(List<Callable<T>> things) throws Exception {
    CyclicBarrier start = new CyclicBarrier(things.size());
    ExecutorService threads = Executors.newFixedThreadPool(things.size());
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> thing : things) {
        futures.add(
            threads.submit(
                () -> {
                  start.await();
                  return thing.call();
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw e;
    } finally {
      threads.shutdownNow();
    }
  }
}
