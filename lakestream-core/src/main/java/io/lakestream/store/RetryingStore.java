// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import io.lakestream.runtime.Environment;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Repeats the calls of another store that fail with {@link TransientStoreException}. Each wait is
 * drawn between the shortest there is and three times the wait before, so callers that were refused
 * together come back apart, and ever further apart. A call is given up once it has waited as long
 * as {@link Settings} say; so even the unluckiest is as patient as that, and since no wait is
 * shorter than the shortest, it is made only so often.
 *
 * <p><b>Why a {@code putIfAbsent} may be repeated here.</b> By the contract of the store an
 * exception from it means that it had no effect and never will, so that the repeat competes with
 * nobody's earlier attempt. {@link PutOutcome#UNKNOWN} goes up as it is: only the caller knows how
 * to find out. Before a repeat the key is looked for: stores count refused puts of a key against
 * its limit too, so losers who put a key that is taken again and again would all be refused.
 */
public final class RetryingStore implements ObjectStore {
  /** How much longer than the wait before a wait may be. */
  private static final int GROWTH_MAX = 3;

  /**
   * How calls are repeated. Only waits count: an attempt that takes long is not held against the
   * next.
   *
   * @param delayMillisMin the shortest wait, at least 1
   * @param delayMillisMax the longest wait
   * @param patienceMillis how long a call waits in all, at least, before it is given up; the last
   *     wait may exceed it. Zero for no repeats
   */
  public record Settings(long delayMillisMin, long delayMillisMax, long patienceMillis) {

    /** Outlasts half a minute of refusals, which is how long stores take to scale up. */
    public static final Settings DEFAULT = new Settings(100, 8_000, 30_000);

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if they contradict themselves
     */
    public Settings {
      if (delayMillisMin < 1 || delayMillisMax < delayMillisMin) {
        throw new IllegalArgumentException(
            "delays must be 1 <= min <= max, not " + delayMillisMin + " and " + delayMillisMax);
      }
      if (patienceMillis < 0) {
        throw new IllegalArgumentException(
            "patienceMillis must not be negative, as " + patienceMillis + " is");
      }
    }

    /** How often a call is made at most, if chance draws the shortest wait each time. */
    public long attemptsMax() {
      return 1 + patienceMillis / delayMillisMin + (patienceMillis % delayMillisMin == 0 ? 0 : 1);
    }
  }

  private final ObjectStore store;
  private final Settings settings;
  private final Environment environment;

  /** Repeats the calls of {@code store}, which is closed together with this. */
  public RetryingStore(ObjectStore store, Settings settings, Environment environment) {
    this.store = store;
    this.settings = settings;
    this.environment = environment;
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    return retrying(
        () -> store.putIfAbsent(key, body),
        () -> store.size(key).isPresent() ? PutOutcome.OCCUPIED : store.putIfAbsent(key, body));
  }

  @Override
  public void put(String key, Body body) throws IOException {
    boolean ignored =
        retrying(
            () -> {
              store.put(key, body);
              return true;
            });
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    return retrying(() -> store.read(key));
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    return retrying(() -> store.read(key, offset, length));
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    return retrying(() -> store.readSuffix(key, length));
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    return retrying(() -> store.size(key));
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    return retrying(() -> store.list(prefix, continuation));
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    return retrying(() -> store.delete(keys));
  }

  @Override
  public void close() throws IOException {
    store.close();
  }

  private <T> T retrying(Call<T> call) throws IOException {
    return retrying(call, call);
  }

  private <T> T retrying(Call<T> first, Call<T> repeat) throws IOException {
    long delayNanos = TimeUnit.MILLISECONDS.toNanos(settings.delayMillisMin());
    long leftNanos = TimeUnit.MILLISECONDS.toNanos(settings.patienceMillis());
    for (int attempt = 1; ; attempt++) {
      try {
        return attempt == 1 ? first.make() : repeat.make();
      } catch (TransientStoreException e) {
        if (leftNanos <= 0) {
          throw new TransientStoreException(e.getMessage() + " (attempts: " + attempt + ")", e);
        }
        delayNanos = delayAfter(delayNanos);
        leftNanos -= delayNanos;
        sleep(delayNanos, attempt, e);
      }
    }
  }

  private long delayAfter(long previousNanos) {
    long shortest = TimeUnit.MILLISECONDS.toNanos(settings.delayMillisMin());
    long longest = TimeUnit.MILLISECONDS.toNanos(settings.delayMillisMax());
    double drawn = environment.entropy().nextDouble() * (GROWTH_MAX * previousNanos - shortest);
    return Math.min(longest, shortest + (long) drawn);
  }

  private void sleep(long nanos, int attempts, TransientStoreException cause)
      throws InterruptedIOException {
    try {
      environment.clock().sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException(
              cause.getMessage() + " (interrupted after attempts: " + attempts + ")");
      interrupted.initCause(cause);
      throw interrupted;
    }
  }

  @FunctionalInterface
  private interface Call<T> {
    T make() throws IOException;
  }
}
