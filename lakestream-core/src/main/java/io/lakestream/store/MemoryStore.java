// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A store in the memory of this process, for tests, simulations and first steps. Its objects
 * survive what the process survives. An object is at most 2 GiB long.
 */
public final class MemoryStore implements ObjectStore {
  /** Entries in a page of a listing, as many as S3 gives. */
  private static final int PAGE = 1_000;

  private static final ConcurrentNavigableMap<String, ConcurrentNavigableMap<String, byte[]>>
      NAMED = new ConcurrentSkipListMap<>();

  private final ConcurrentNavigableMap<String, byte[]> objects;
  private volatile boolean isClosed;

  /** A new, empty store of its own. */
  public MemoryStore() {
    this(new ConcurrentSkipListMap<>());
  }

  private MemoryStore(ConcurrentNavigableMap<String, byte[]> objects) {
    this.objects = objects;
  }

  /**
   * The store called {@code name}, which all callers in this JVM share. It lasts until the JVM
   * ends; closing what this returns closes only that.
   */
  public static MemoryStore named(String name) {
    return new MemoryStore(NAMED.computeIfAbsent(name, key -> new ConcurrentSkipListMap<>()));
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    begin("putIfAbsent", key);
    byte[] rival = objects.putIfAbsent(key, bytes("putIfAbsent", key, body));
    return rival == null ? PutOutcome.CREATED : PutOutcome.OCCUPIED;
  }

  @Override
  public void put(String key, Body body) throws IOException {
    begin("put", key);
    objects.put(key, bytes("put", key, body));
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    begin("read", key);
    return Optional.ofNullable(objects.get(key)).map(bytes -> ByteBuffer.wrap(bytes.clone()));
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    begin("read", key);
    ByteRange.requireRange(offset, length);
    return Optional.ofNullable(objects.get(key))
        .map(bytes -> copy(bytes, ByteRange.within(bytes.length, offset, length)));
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    begin("readSuffix", key);
    ByteRange.requireRange(0, length);
    return Optional.ofNullable(objects.get(key))
        .map(bytes -> copy(bytes, ByteRange.suffix(bytes.length, length)));
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    begin("size", key);
    byte[] bytes = objects.get(key);
    return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes.length);
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    requireOpen("list", prefix);
    Keys.requirePrefix(prefix);
    List<ObjectEntry> entries = new ArrayList<>();
    var rest = objects.tailMap(continuation.orElse(prefix), continuation.isEmpty());
    for (Map.Entry<String, byte[]> entry : rest.entrySet()) {
      String key = entry.getKey();
      if (!key.startsWith(prefix)) {
        break;
      }
      if (entries.size() == PAGE) {
        return new ListPage(entries, Optional.of(entries.get(PAGE - 1).key()));
      }
      entries.add(new ObjectEntry(key, entry.getValue().length));
    }
    return new ListPage(entries, Optional.empty());
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    requireOpen("delete", String.join(", ", keys));
    keys.forEach(Keys::requireKey);
    keys.forEach(objects::remove);
    return List.of();
  }

  @Override
  public void close() {
    isClosed = true;
  }

  private void begin(String operation, String key) throws IOException {
    requireOpen(operation, key);
    Keys.requireKey(key);
  }

  private void requireOpen(String operation, String key) throws IOException {
    if (isClosed) {
      throw new IOException(operation + " of '" + key + "': the memory store is closed");
    }
  }

  private static byte[] bytes(String operation, String key, Body body) throws IOException {
    if (body.length() > ByteRange.ARRAY_MAX) {
      throw new IOException(
          operation + " of '" + key + "': a memory store holds objects of up to 2 GiB only");
    }
    return body.toArray();
  }

  private static ByteBuffer copy(byte[] bytes, ByteRange range) {
    byte[] copy = new byte[range.length()];
    System.arraycopy(bytes, (int) range.offset(), copy, 0, copy.length);
    return ByteBuffer.wrap(copy);
  }
}
