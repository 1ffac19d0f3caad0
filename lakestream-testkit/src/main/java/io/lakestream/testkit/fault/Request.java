// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import io.lakestream.store.ListPage;
import io.lakestream.store.PutOutcome;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.store.TransientStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A call on its way to a store, in the hands of a {@link Fault}.
 *
 * @param <T> what the store answers
 */
public abstract class Request<T> {
  private final FaultyStore store;
  private final Operation operation;
  private final String key;
  private final Call<T> call;

  /** What the store does. */
  @FunctionalInterface
  interface Call<T> {
    T make() throws IOException;
  }

  /** A page of a listing in an order of its own. */
  @FunctionalInterface
  interface Pages {
    ListPage page(long seed, int keysMax) throws IOException;
  }

  private Request(FaultyStore store, Operation operation, String key, Call<T> call) {
    this.store = store;
    this.operation = operation;
    this.key = key;
    this.call = call;
  }

  /** A call that has no answer for "unknown" and brings no bytes. */
  static <T> Request<T> plain(FaultyStore store, Operation operation, String key, Call<T> call) {
    return new Request<>(store, operation, key, call) {};
  }

  /** A conditional put, which may answer that it does not know. */
  static Request<PutOutcome> create(FaultyStore store, String key, Call<PutOutcome> call) {
    return new Request<>(store, Operation.PUT_IF_ABSENT, key, call) {
      @Override
      public PutOutcome unanswered(String why) {
        return PutOutcome.UNKNOWN;
      }
    };
  }

  /**
   * A read, which brings bytes.
   *
   * @param whole the same without its range
   */
  static Request<Optional<ByteBuffer>> read(
      FaultyStore store,
      Operation operation,
      String key,
      Call<Optional<ByteBuffer>> call,
      Call<Optional<ByteBuffer>> whole) {
    return new Request<>(store, operation, key, call) {
      @Override
      public Optional<ByteBuffer> makeWithBody(UnaryOperator<ByteBuffer> change)
          throws IOException {
        return make().map(change);
      }

      @Override
      public Optional<ByteBuffer> makeWithoutRange() throws IOException {
        return whole.make();
      }
    };
  }

  /** A page of a listing, the first of which decides what pages there are. */
  static Request<ListPage> list(
      FaultyStore store, String prefix, Call<ListPage> call, Pages shuffled) {
    return new Request<>(store, Operation.LIST, prefix, call) {
      @Override
      public ListPage makeInPages(long seed, int keysMax) throws IOException {
        return shuffled.page(seed, keysMax);
      }
    };
  }

  Operation operation() {
    return operation;
  }

  /** Its key, or what the keys of a listing start with. */
  public String key() {
    return key;
  }

  /** Operation and key, as messages name them. */
  public String name() {
    return "%s of '%s'".formatted(operation.label(), key);
  }

  /** Lets it take effect. */
  public T make() throws IOException {
    return call.make();
  }

  /** Lets it take effect, and changes the bytes that it brings, if it is a read. */
  public T makeWithBody(UnaryOperator<ByteBuffer> change) throws IOException {
    return make();
  }

  /** Lets it take effect, and brings the whole object, if it is a read of a range. */
  public T makeWithoutRange() throws IOException {
    return make();
  }

  /** Lets it take effect, and begins a listing of small pages, if it begins a listing. */
  public T makeInPages(long seed, int keysMax) throws IOException {
    return make();
  }

  /** Whether it is a put that meets an object under its key. */
  public boolean isTaken() throws IOException {
    boolean isPut = operation == Operation.PUT || operation == Operation.PUT_IF_ABSENT;
    return isPut && store.isTaken(key);
  }

  /** Lets it take effect after a time, when nobody waits for it any more. */
  public void makeLater(long nanos) {
    store.later(name(), nanos, call);
  }

  /** Makes the caller wait. */
  public void sleep(long nanos) throws IOException {
    store.sleep(name(), nanos);
  }

  /** Kills the caller. */
  public void crash() {
    store.crash();
  }

  /**
   * What the caller gets when it gets no answer.
   *
   * @throws TransientStoreException if its operation has no value for that
   */
  public T unanswered(String why) throws IOException {
    throw new TransientStoreException(name() + ": " + why);
  }
}
