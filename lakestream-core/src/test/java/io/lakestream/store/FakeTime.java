// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import io.lakestream.runtime.Clock;
import io.lakestream.runtime.Entropy;
import io.lakestream.runtime.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;

/** A clock that only sleeping moves, and chance from a seed. */
final class FakeTime implements Clock, Entropy {
  private final DoubleSupplier doubles;
  private final SplittableRandom random;
  private final List<Long> sleeps = new ArrayList<>();
  private long nanos;
  private boolean isInterrupting;

  FakeTime(long seed) {
    random = new SplittableRandom(seed);
    doubles = random::nextDouble;
  }

  private FakeTime(DoubleSupplier doubles) {
    this.random = new SplittableRandom(0);
    this.doubles = doubles;
  }

  /** Chance that draws the same fraction each time. */
  static FakeTime drawing(double fraction) {
    return new FakeTime(() -> fraction);
  }

  Environment environment() {
    return new Environment(this, this, Environment.system().tasks());
  }

  List<Long> sleeps() {
    return sleeps;
  }

  void interruptSleeps() {
    isInterrupting = true;
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public long epochMillis() {
    return nanos / 1_000_000;
  }

  @Override
  public void sleep(long durationNanos) throws InterruptedException {
    if (isInterrupting) {
      throw new InterruptedException();
    }
    sleeps.add(durationNanos);
    nanos += durationNanos;
  }

  @Override
  public long nextLong() {
    return random.nextLong();
  }

  @Override
  public double nextDouble() {
    return doubles.getAsDouble();
  }
}
