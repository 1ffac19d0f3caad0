// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import io.lakestream.text.Documents;
import io.lakestream.text.Skipped;
import io.lakestream.text.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What all producers have to publish, worked out by as many threads as there are cores.
 *
 * @param shares what each of them has to
 * @param skipped what was left out of the input
 */
record Expectation(List<ExpectedShare> shares, Skipped skipped) {
  Expectation {
    shares = List.copyOf(shares);
  }

  /** What a demo's producers have to publish. */
  static Expectation of(DemoSettings settings) throws InterruptedException {
    Documents documents = Documents.of(settings.input());
    Tokenizer tokenizer = settings.vocabulary().tokenizer();
    ExecutorService threads =
        Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(), Expectation::daemon);
    List<Future<ExpectedShare>> futures = new ArrayList<>();
    try {
      for (int i = 0; i < settings.producers(); i++) {
        String producer = "producer-" + i;
        Documents share = documents.share(i, settings.producers());
        futures.add(
            threads.submit(() -> ExpectedShare.of(producer, share, tokenizer, settings.packing())));
      }
      List<ExpectedShare> shares = results(futures);
      Skipped skipped = documents.skipped();
      for (ExpectedShare share : shares) {
        skipped = skipped.plus(share.skipped());
      }
      return new Expectation(shares, skipped);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError("a share could not be worked out", e);
    } finally {
      var unused = threads.shutdownNow();
    }
  }

  private static List<ExpectedShare> results(List<Future<ExpectedShare>> futures)
      throws InterruptedException, ExecutionException {
    List<ExpectedShare> shares = new ArrayList<>();
    for (Future<ExpectedShare> future : futures) {
      shares.add(future.get());
    }
    return shares;
  }

  /** A thread that does not keep a command alive that was asked to stop. */
  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "expectation");
    thread.setDaemon(true);
    return thread;
  }
}
