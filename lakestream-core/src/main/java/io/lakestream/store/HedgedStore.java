// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.lakestream.runtime.Environment;
import io.lakestream.store.StoreMetrics.Operation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Asks another store a second time for what it does not answer in time. Over a network some reads
 * hang for reasons of their own, a dead connection or an overloaded machine, and the same read made
 * again is answered at once. A read is overdue once it takes longer than 95 in 100 of its kind and
 * size did; the first answer is the caller's, and whoever answers later is let go. If the second
 * attempt hangs too, a third is made after four times as long, when it is no longer likely that
 * either is only slow.
 *
 * <p><b>Why either answer is right.</b> Both attempts begin after the read and end before it
 * returns or are not heard, so each tells what was true at some moment of the read. Writes are
 * never made twice here, nor are listings, whose pages belong together.
 *
 * <p><b>What it costs.</b> The number of hedges is bounded by a share of all reads. A failure is no
 * answer and is not hedged: if an attempt fails while another is under way, that is waited for, and
 * otherwise the failure goes up at once.
 *
 * <p><b>Why the caller does not make the first attempt itself.</b> A thread that hangs in a call
 * can be fetched back by nothing but an interrupt, which blocking sockets do not heed and which
 * nobody could tell from one that means the caller. So every attempt is made by a thread of a pool,
 * and the caller waits in a lock: two changes of threads, some ten microseconds each, before a
 * network that takes milliseconds. That is nothing to spend on the memory of this machine or its
 * disk, whose stores should not be hedged. If all threads of the pool are busy, the caller does
 * make the attempt itself, and that read is not hedged.
 *
 * <p><b>What is asked of the store behind.</b> Its reads end, by a deadline of their own or when
 * interrupted. One that does neither keeps its thread.
 *
 * <p>Put it directly around a store, below {@link PacedStore} and {@link RetryingStore}: calls that
 * wait for their turn or for another try do not hang, and must not be counted among those that do.
 */
public final class HedgedStore implements ObjectStore {
  /** How much longer than to be overdue is to be long overdue. */
  private static final int LONG = 4;

  /** Sizes beside each other take like times; the last class takes what is above. */
  private static final List<Integer> CLASS_BYTES_MAX = List.of(64 << 10, 1 << 20, 16 << 20);

  /**
   * How reads are hedged.
   *
   * @param shareMax hedges for each read at most, a fraction of one
   * @param burstMax hedges beyond that share at most, all of which may be made at once; half of
   *     them only for reads that are long overdue
   * @param attemptsMax how often a read is asked for in all, at least twice
   * @param delayMillisMin no read is overdue before that
   * @param delayMillisStart when a read is overdue until enough of its kind were seen
   * @param threadsMax attempts that are under way at once
   */
  public record Settings(
      double shareMax,
      int burstMax,
      int attemptsMax,
      long delayMillisMin,
      long delayMillisStart,
      int threadsMax) {

    /**
     * One read in a hundred may hang and is hedged, whatever the slow ones do. A pause of the JVM
     * is shorter than the shortest delay; the first delay is what S3 advises for small objects.
     * There are threads for twice as many reads as a client has connections.
     */
    public static final Settings DEFAULT = new Settings(0.05, 32, 3, 10, 2_000, 256);

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if they contradict themselves
     */
    public Settings {
      if (!(shareMax > 0 && shareMax <= 1)) {
        throw new IllegalArgumentException("shareMax must be in (0, 1], not " + shareMax);
      }
      requireAtLeast("burstMax", 2, burstMax);
      requireAtLeast("attemptsMax", 2, attemptsMax);
      requireAtLeast("delayMillisMin", 1, delayMillisMin);
      requireAtLeast("delayMillisStart", delayMillisMin, delayMillisStart);
      requireAtLeast("threadsMax", 2, threadsMax);
    }

    private static void requireAtLeast(String name, long least, long value) {
      if (value < least) {
        throw new IllegalArgumentException(name + " must be at least " + least + ", not " + value);
      }
    }
  }

  private final ObjectStore store;
  private final Settings settings;
  private final Environment environment;
  private final AttemptThreads threads;
  private final HedgeBudget budget;
  private final ReadTimes wholes;
  private final List<ReadTimes> ranges;
  private final List<ReadTimes> suffixes;
  private final ReadTimes sizes;
  private final LongAdder hedges = new LongAdder();

  /** Hedges the reads of {@code store}, which is closed together with this. */
  public HedgedStore(ObjectStore store, Settings settings, Environment environment) {
    this.store = store;
    this.settings = settings;
    this.environment = environment;
    this.threads = new AttemptThreads(environment.tasks(), settings.threadsMax());
    this.budget = new HedgeBudget(settings.shareMax(), settings.burstMax());
    this.wholes = times();
    this.ranges = List.of(times(), times(), times(), times());
    this.suffixes = List.of(times(), times(), times(), times());
    this.sizes = times();
  }

  private ReadTimes times() {
    return new ReadTimes(
        MILLISECONDS.toNanos(settings.delayMillisMin()),
        MILLISECONDS.toNanos(settings.delayMillisStart()));
  }

  /** How many attempts were made beside the first ones. */
  public long hedges() {
    return hedges.sum();
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    return hedged(Operation.READ, key, wholes, () -> store.read(key));
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    ReadTimes times = ranges.get(sizeClass(length));
    return hedged(Operation.READ_RANGE, key, times, () -> store.read(key, offset, length));
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    ReadTimes times = suffixes.get(sizeClass(length));
    return hedged(Operation.READ_SUFFIX, key, times, () -> store.readSuffix(key, length));
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    return hedged(Operation.SIZE, key, sizes, () -> store.size(key));
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    return store.putIfAbsent(key, body);
  }

  @Override
  public void put(String key, Body body) throws IOException {
    store.put(key, body);
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    return store.list(prefix, continuation);
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    return store.delete(keys);
  }

  /** Does not wait for attempts that are under way. */
  @Override
  public void close() throws IOException {
    threads.close();
    store.close();
  }

  private static int sizeClass(int length) {
    int index = 0;
    while (index < CLASS_BYTES_MAX.size() && length > CLASS_BYTES_MAX.get(index)) {
      index++;
    }
    return index;
  }

  private <T> T hedged(Operation operation, String key, ReadTimes times, HedgedRead.Call<T> call)
      throws IOException {
    budget.earn();
    long start = environment.clock().nanoTime();
    HedgedRead<T> read = new HedgedRead<>(call, environment.tasks().monitor());
    if (!read.begin(threads)) {
      return call.make();
    }
    try {
      T answer = answer(read, times.overdueNanos());
      times.add(environment.clock().nanoTime() - start);
      return answer;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(operation.label() + " of '" + key + "' was interrupted");
    }
  }

  private <T> T answer(HedgedRead<T> read, long overdueNanos)
      throws IOException, InterruptedException {
    try {
      follow(read, overdueNanos);
      return read.result();
    } finally {
      read.letGo();
    }
  }

  /** Waits until a read has ended, and asks again when it is overdue. */
  private void follow(HedgedRead<?> read, long overdueNanos) throws InterruptedException {
    boolean isLongOverdue = false;
    long patienceNanos = overdueNanos;
    while (!read.awaitEnd(patienceNanos)) {
      if (budget.take(isLongOverdue)) {
        hedge(read);
      }
      isLongOverdue = true;
      boolean isAskedOften = read.attempts() == settings.attemptsMax();
      patienceNanos = isAskedOften ? Long.MAX_VALUE : LONG * overdueNanos;
    }
  }

  private void hedge(HedgedRead<?> read) {
    if (read.begin(threads)) {
      hedges.increment();
    } else {
      budget.giveBack();
    }
  }
}
