// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.testkit.simulation.Failure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Many seeds, several at a time. */
public final class Hunt {
  /** Every so many seeds one is run twice, and both runs must be the same to the last event. */
  private static final int TWICE_EVERY = 20;

  private static final double NANOS_PER_MINUTE = 60e9;

  private final Scenario scenario;
  private final long first;
  private final long count;
  private final int atATime;
  private final LongConsumer progress;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong done = new AtomicLong();

  /**
   * @param scenario what is run
   * @param first the first seed
   * @param count how many seeds
   * @param atATime how many run at a time; each takes one processor
   * @param progress told how many are done, by any thread
   */
  public Hunt(Scenario scenario, long first, long count, int atATime, LongConsumer progress) {
    this.scenario = scenario;
    this.first = first;
    this.count = count;
    this.atATime = atATime;
    this.progress = progress;
  }

  /**
   * A seed that went wrong.
   *
   * @param seed the seed
   * @param what what went wrong
   * @param lastEvents what happened before, as text
   */
  public record Failing(long seed, String what, List<String> lastEvents) {
    public Failing {
      lastEvents = List.copyOf(lastEvents);
    }
  }

  /**
   * What came of it.
   *
   * @param seeds how many were run
   * @param violations how many of them went wrong
   * @param seedsPerMinute how fast they ran
   * @param storeCalls calls of the store in a seed, on average
   * @param ranTwice how many were run twice, for equal traces
   * @param failing those that went wrong
   */
  public record Report(
      long seeds,
      long violations,
      double seedsPerMinute,
      double storeCalls,
      long ranTwice,
      List<Failing> failing) {
    public Report {
      failing = List.copyOf(failing);
    }
  }

  private record Share(long storeCalls, long ranTwice, List<Failing> failing) {}

  /** Runs all seeds. */
  public Report run() throws InterruptedException {
    long start = System.nanoTime();
    ExecutorService threads = Executors.newCachedThreadPool(Hunt::daemon);
    try {
      List<Future<Share>> running = new ArrayList<>();
      for (int i = 0; i < atATime; i++) {
        running.add(threads.submit(() -> share(threads)));
      }
      List<Share> shares = new ArrayList<>();
      for (Future<Share> one : running) {
        shares.add(one.get());
      }
      return report(shares, System.nanoTime() - start);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the simulator itself failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private static Thread daemon(Runnable body) {
    Thread thread = new Thread(body, "simulation");
    thread.setDaemon(true);
    return thread;
  }

  private Share share(ExecutorService threads) throws InterruptedException {
    long storeCalls = 0;
    long ranTwice = 0;
    List<Failing> failing = new ArrayList<>();
    for (long i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
      long seed = first + i;
      SeedRun.Result result = SeedRun.run(scenario, seed, threads);
      storeCalls += result.storeCalls();
      Optional<String> wrong = result.failure().map(Hunt::text);
      if (wrong.isEmpty() && seed % TWICE_EVERY == 0) {
        ranTwice++;
        wrong = difference(result, SeedRun.run(scenario, seed, threads));
      }
      if (wrong.isPresent()) {
        failing.add(new Failing(seed, wrong.get(), result.lastEvents()));
      }
      progress.accept(done.incrementAndGet());
    }
    return new Share(storeCalls, ranTwice, failing);
  }

  private static Optional<String> difference(SeedRun.Result one, SeedRun.Result other) {
    return one.fingerprint().equals(other.fingerprint())
        ? Optional.empty()
        : Optional.of("two runs differ: %s, %s".formatted(one.fingerprint(), other.fingerprint()));
  }

  private static String text(Failure failure) {
    Throwable cause = failure.cause();
    return cause == null ? failure.what() : failure.what() + ": " + cause;
  }

  private Report report(List<Share> shares, long nanos) {
    List<Failing> failing = new ArrayList<>();
    shares.forEach(share -> failing.addAll(share.failing()));
    failing.sort(Comparator.comparingLong(Failing::seed));
    long storeCalls = shares.stream().mapToLong(Share::storeCalls).sum();
    return new Report(
        count,
        failing.size(),
        count / (nanos / NANOS_PER_MINUTE),
        (double) storeCalls / Math.max(1, count),
        shares.stream().mapToLong(Share::ranTwice).sum(),
        failing);
  }
}
