// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.store.Body;
import io.lakestream.store.DeleteFailure;
import io.lakestream.store.ListPage;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Tells of each call and what came of it. */
final class TracedStore implements ObjectStore {
  private final ObjectStore store;
  private final String caller;
  private final Consumer<String> told;

  TracedStore(ObjectStore store, String caller, Consumer<String> told) {
    this.store = store;
    this.caller = caller;
    this.told = told;
  }

  /** A call of the store. */
  @FunctionalInterface
  private interface Call<T> {
    T make() throws IOException;
  }

  private <T> T traced(String operation, String key, Call<T> call) throws IOException {
    String outcome = "died";
    try {
      T answer = call.make();
      outcome = text(answer);
      return answer;
    } catch (IOException e) {
      outcome = "failed: " + e.getMessage();
      throw e;
    } finally {
      told.accept(caller + " " + operation + " " + key + " -> " + outcome);
    }
  }

  private static String text(Object answer) {
    if (answer instanceof Optional<?> found) {
      return found.map(bytes -> ((ByteBuffer) bytes).remaining() + " bytes").orElse("none");
    }
    return answer instanceof ListPage page ? page.entries().size() + " keys" : answer.toString();
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    return traced("putIfAbsent", key, () -> store.putIfAbsent(key, body));
  }

  @Override
  public void put(String key, Body body) throws IOException {
    String unused =
        traced(
            "put",
            key,
            () -> {
              store.put(key, body);
              return "done";
            });
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    return traced("read", key, () -> store.read(key));
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    return traced("readRange", key, () -> store.read(key, offset, length));
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    return traced("readSuffix", key, () -> store.readSuffix(key, length));
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    return traced("size", key, () -> store.size(key));
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    return traced("list", prefix, () -> store.list(prefix, continuation));
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    return traced("delete", String.join(",", keys), () -> store.delete(keys));
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
