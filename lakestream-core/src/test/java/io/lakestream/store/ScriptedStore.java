// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A memory store whose next calls fail, or whose next conditional puts are answered, as told. */
final class ScriptedStore implements ObjectStore {
  private final MemoryStore store = new MemoryStore();
  private final Deque<IOException> failures = new ArrayDeque<>();
  private final Deque<PutOutcome> answers = new ArrayDeque<>();
  private final List<String> calls = new ArrayList<>();

  /** Lets the next calls fail, one each. */
  void fail(IOException... next) {
    failures.addAll(List.of(next));
  }

  /** Answers the next conditional puts so, without doing them. */
  void answer(PutOutcome... next) {
    answers.addAll(List.of(next));
  }

  List<String> calls() {
    return calls;
  }

  private void begin(String call) throws IOException {
    calls.add(call);
    IOException failure = failures.poll();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    begin("putIfAbsent");
    PutOutcome answer = answers.poll();
    return answer == null ? store.putIfAbsent(key, body) : answer;
  }

  @Override
  public void put(String key, Body body) throws IOException {
    begin("put");
    store.put(key, body);
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    begin("read");
    return store.read(key);
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    begin("readRange");
    return store.read(key, offset, length);
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    begin("readSuffix");
    return store.readSuffix(key, length);
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    begin("size");
    return store.size(key);
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    begin("list");
    return store.list(prefix, continuation);
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    begin("delete");
    return store.delete(keys);
  }

  @Override
  public void close() {
    calls.add("close");
    store.close();
  }
}
