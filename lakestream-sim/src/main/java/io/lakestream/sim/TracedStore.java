// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.store.ListPage;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.testkit.ForwardingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;

/** Tells of each call and what came of it. */
final class TracedStore extends ForwardingStore {
  private final String caller;
  private final Consumer<String> told;

  TracedStore(ObjectStore store, String caller, Consumer<String> told) {
    super(store);
    this.caller = caller;
    this.told = told;
  }

  @Override
  protected <T> T forward(Operation operation, String key, Call<T> call) throws IOException {
    String outcome = "died";
    try {
      T answer = call.make();
      outcome = text(answer);
      return answer;
    } catch (IOException e) {
      outcome = "failed: " + e.getMessage();
      throw e;
    } finally {
      told.accept(caller + " " + operation.label() + " " + key + " -> " + outcome);
    }
  }

  private static String text(Object answer) {
    if (answer instanceof Optional<?> found) {
      return found.map(bytes -> ((ByteBuffer) bytes).remaining() + " bytes").orElse("none");
    }
    return answer instanceof ListPage page ? page.entries().size() + " keys" : answer.toString();
  }
}
