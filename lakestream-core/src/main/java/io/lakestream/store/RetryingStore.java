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
 * Repeats the calls of another store that fail with {@link TransientStoreException}. The longest
 * wait doubles from one repeat to the next; each is drawn from the upper half of what it may be, so
 * that callers spread and even the unluckiest is as patient as {@link Settings} say.
 *
 * <p><b>Why a {@code putIfAbsent} may be repeated here.</b> By the contract of the store an
 * exception from it means that it had no effect and never will, so that the repeat competes with
 * nobody's earlier attempt. {@link PutOutcome#UNKNOWN} goes up as it is: only the caller knows how
 * to find out. Before a repeat the key is looked for: stores count refused puts of a key against
 * its limit too, so losers who put a key that is taken again and again would all be refused.
 */
public final class RetryingStore implements ObjectStore {
  /**
   * How calls are repeated.
   *
   * @param attemptsMax how often a call is made in all, at least once
   * @param delayMillisMin the longest wait after the first attempt
   * @param delayMillisMax the longest wait there is
   */
  public record Settings(int attemptsMax, long delayMillisMin, long delayMillisMax) {

    /** Outlasts half a minute of refusals, which is how long stores take to scale up. */
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
    long delayNanosMax = TimeUnit.MILLISECONDS.toNanos(settings.delayMillisMin());
    for (int attempt = 1; ; attempt++) {
      try {
        return attempt == 1 ? first.make() : repeat.make();
      } catch (TransientStoreException e) {
        if (attempt == settings.attemptsMax()) {
          throw new TransientStoreException(e.getMessage() + " (attempts: " + attempt + ")", e);
        }
        sleep(upperHalf(delayNanosMax), attempt, e);
        delayNanosMax =
            Math.min(2 * delayNanosMax, TimeUnit.MILLISECONDS.toNanos(settings.delayMillisMax()));
      }
    }
  }

  private long upperHalf(long nanos) {
    return nanos / 2 + (long) (environment.entropy().nextDouble() * (nanos - nanos / 2));
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
