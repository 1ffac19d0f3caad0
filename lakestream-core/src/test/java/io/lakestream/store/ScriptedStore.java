// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import io.lakestream.store.StoreMetrics.Operation;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A memory store whose next calls fail, or whose next conditional puts are answered, as told. */
final class ScriptedStore extends ForwardingStore {
  private final Deque<IOException> failures = new ArrayDeque<>();
  private final Deque<PutOutcome> answers = new ArrayDeque<>();
  private final List<String> calls = new ArrayList<>();

  ScriptedStore() {
    super(new MemoryStore());
  }

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

  @Override
  protected void begin(Operation operation, String key) throws IOException {
    calls.add(operation.label());
    IOException failure = failures.poll();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    if (answers.isEmpty()) {
      return super.putIfAbsent(key, body);
    }
    begin(Operation.PUT_IF_ABSENT, key);
    return answers.remove();
  }

  @Override
  public void close() throws IOException {
    calls.add("close");
    super.close();
  }
}
