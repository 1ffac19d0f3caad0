// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import io.lakestream.runtime.Environment;
import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.testkit.ForwardingStore;
import java.io.IOException;
import java.io.InterruptedIOException;

/**
 * A store that is some way off: every request and every answer takes a random time. What happens
 * meanwhile, such as the death of the caller, finds a call that has taken effect or has not.
 */
public final class DelayedStore extends ForwardingStore {
  private final Environment environment;
  private final long meanNanos;

  /**
   * @param environment whose clock is waited on, and whose chance is drawn from
   * @param meanNanos mean time of a call, half of it on each way; single times are exponential
   */
  public DelayedStore(ObjectStore store, Environment environment, long meanNanos) {
    super(store);
    this.environment = environment;
    this.meanNanos = meanNanos;
  }

  @Override
  protected <T> T forward(Operation operation, String key, Call<T> call) throws IOException {
    travel(operation, key);
    T answer = call.make();
    travel(operation, key);
    return answer;
  }

  private void travel(Operation operation, String key) throws IOException {
    double nanos = -Math.log1p(-environment.entropy().nextDouble()) * meanNanos / 2;
    try {
      environment.clock().sleep(1 + (long) nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(operation.label() + " of '" + key + "' was interrupted");
    }
  }

  /** A put that was sent may land, whatever becomes of its sender. */
  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    travel(Operation.PUT_IF_ABSENT, key);
    PutOutcome outcome = target().putIfAbsent(key, body);
    try {
      travel(Operation.PUT_IF_ABSENT, key);
    } catch (InterruptedIOException e) {
      return PutOutcome.UNKNOWN;
    }
    return outcome;
  }
}
