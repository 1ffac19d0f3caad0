// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.store.Body;
import io.lakestream.store.DeleteFailure;
import io.lakestream.store.ListPage;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.store.StoreProvider;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Opens {@code careless:///x}: a store that ignores the condition of a put, as some do. */
public final class CarelessStoreProvider implements StoreProvider {
  @Override
  public String scheme() {
    return "careless";
  }

  @Override
  public ObjectStore open(URI uri) {
    return new CarelessStore(new MemoryStore());
  }

  private record CarelessStore(ObjectStore store) implements ObjectStore {
    @Override
    public PutOutcome putIfAbsent(String key, Body body) throws IOException {
      store.put(key, body);
      return PutOutcome.CREATED;
    }

    @Override
    public void put(String key, Body body) throws IOException {
      store.put(key, body);
    }

    @Override
    public Optional<ByteBuffer> read(String key) throws IOException {
      return store.read(key);
    }

    @Override
    public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
      return store.read(key, offset, length);
    }

    @Override
    public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
      return store.readSuffix(key, length);
    }

    @Override
    public OptionalLong size(String key) throws IOException {
      return store.size(key);
    }

    @Override
    public ListPage list(String prefix, Optional<String> continuation) throws IOException {
      return store.list(prefix, continuation);
    }

    @Override
    public List<DeleteFailure> delete(List<String> keys) throws IOException {
      return store.delete(keys);
    }

    @Override
    public void close() throws IOException {
      store.close();
    }
  }
}
