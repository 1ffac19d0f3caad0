// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import io.lakestream.runtime.Environment;
import io.lakestream.runtime.Tasks;
import io.lakestream.store.Body;
import io.lakestream.store.DeleteFailure;
import io.lakestream.store.ListPage;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.store.StoreMetrics.Operation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A store that goes wrong as its {@link Faults} say, within what {@link ObjectStore} allows; only
 * the faults of bodies break its promises. Safe for use by several threads.
 */
public final class FaultyStore implements ObjectStore {
  private static final System.Logger LOG = System.getLogger(FaultyStore.class.getName());

  private final ObjectStore store;
  private final Faults faults;
  private final Environment caller;
  private final Environment network;
  private final Runnable crash;

  /**
   * @param caller the environment of whoever calls
   * @param network where late requests live on, whatever becomes of the caller
   * @param crash kills the caller; does not return to it
   */
  public FaultyStore(
      ObjectStore store, Faults faults, Environment caller, Environment network, Runnable crash) {
    this.store = store;
    this.faults = faults;
    this.caller = caller;
    this.network = network;
    this.crash = crash;
  }

  private <T> T struck(Request<T> request) throws IOException {
    Optional<Fault> fault = faults.next(request.operation(), request.key());
    return fault.isPresent() ? fault.get().strike(request) : request.make();
  }

  /** Lets a request take effect on its own. */
  void later(String name, long nanos, Request.Call<?> call) {
    Tasks.Task unused =
        network
            .tasks()
            .start(
                "late " + name,
                () -> {
                  try {
                    network.clock().sleep(nanos);
                    Object ignored = call.make();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  } catch (IOException e) {
                    LOG.log(System.Logger.Level.DEBUG, "a late request failed", e);
                  }
                });
  }

  void sleep(String name, long nanos) throws IOException {
    try {
      caller.clock().sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(name + " was interrupted");
    }
  }

  boolean isTaken(String key) throws IOException {
    return store.size(key).isPresent();
  }

  void crash() {
    crash.run();
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    return struck(Request.create(this, key, () -> store.putIfAbsent(key, body)));
  }

  @Override
  public void put(String key, Body body) throws IOException {
    boolean ignored =
        struck(
            Request.plain(
                this,
                Operation.PUT,
                key,
                () -> {
                  store.put(key, body);
                  return true;
                }));
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    Request.Call<Optional<ByteBuffer>> whole = () -> store.read(key);
    return struck(Request.read(this, Operation.READ, key, whole, whole));
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    return struck(
        Request.read(
            this,
            Operation.READ_RANGE,
            key,
            () -> store.read(key, offset, length),
            () -> store.read(key)));
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    return struck(
        Request.read(
            this,
            Operation.READ_SUFFIX,
            key,
            () -> store.readSuffix(key, length),
            () -> store.read(key)));
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    return struck(Request.plain(this, Operation.SIZE, key, () -> store.size(key)));
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    Optional<ShuffledListing> shuffled = continuation.flatMap(ShuffledListing::of);
    Request.Call<ListPage> page =
        () ->
            shuffled.isPresent()
                ? shuffled.get().of(store, prefix)
                : store.list(prefix, continuation);
    return struck(
        Request.list(
            this,
            prefix,
            page,
            (seed, keysMax) ->
                continuation.isPresent()
                    ? page.make()
                    : ShuffledListing.start(seed, keysMax).of(store, prefix)));
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    String first = keys.isEmpty() ? "" : keys.get(0);
    return struck(Request.plain(this, Operation.DELETE, first, () -> store.delete(keys)));
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
