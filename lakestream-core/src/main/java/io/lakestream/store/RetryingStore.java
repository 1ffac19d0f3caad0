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
 * Repeats the calls of another store that fail with {@link TransientStoreException}, after waits of
 * decorrelated jitter: each is drawn between the shortest and three times the one before.
 *
 * <p><b>Why a {@code putIfAbsent} may be repeated here.</b> By the contract of the store an
 * exception from it means that it had no effect and never will, so that the repeat competes with
 * nobody's earlier attempt. {@link PutOutcome#UNKNOWN} goes up as it is: only the caller knows how
 * to find out.
 */
public final class RetryingStore implements ObjectStore {
  /**
   * How calls are repeated.
   *
   * @param attemptsMax how often a call is made in all, at least once
   * @param delayMillisMin the shortest wait between two attempts
   * @param delayMillisMax the longest
   */
  public record Settings(int attemptsMax, long delayMillisMin, long delayMillisMax) {

    /** Outlasts about half a minute of refusals, which is how long stores take to scale up. */
    public static final Settings DEFAULT = new Settings(14, 100, 8_000);

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if they contradict themselves
     */
    public Settings {
      if (attemptsMax < 1) {
        throw new IllegalArgumentException("attemptsMax must be at least 1, not " + attemptsMax);
      }
      if (delayMillisMin < 0 || delayMillisMax < delayMillisMin) {
        throw new IllegalArgumentException(
            "delays must be 0 <= min <= max, not " + delayMillisMin + " and " + delayMillisMax);
      }
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
    return retrying(() -> store.putIfAbsent(key, body));
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
    long delayNanos = delayNanosMin();
    for (int attempt = 1; ; attempt++) {
      try {
        return call.make();
      } catch (TransientStoreException e) {
        if (attempt == settings.attemptsMax()) {
          throw new TransientStoreException(e.getMessage() + " (attempts: " + attempt + ")", e);
        }
        delayNanos = nextDelayNanos(delayNanos);
        sleep(delayNanos, attempt, e);
      }
    }
  }

  private long delayNanosMin() {
    return TimeUnit.MILLISECONDS.toNanos(settings.delayMillisMin());
  }

  private long nextDelayNanos(long lastNanos) {
    long minNanos = delayNanosMin();
    long maxNanos = TimeUnit.MILLISECONDS.toNanos(settings.delayMillisMax());
    double span = 3.0 * lastNanos - minNanos;
    return Math.min(maxNanos, minNanos + (long) (environment.entropy().nextDouble() * span));
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
