// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.io;

import io.lakestream.bench.Progress;
import io.lakestream.bench.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Two ways to do the same work, run in turns and compared pair by pair, so that whatever else the
 * machine does hits both alike. Who begins alternates too.
 */
final class Duel {
  private static final double NANOS_PER_SECOND = 1e9;

  private final String name;
  private final Side ours;
  private final Side plain;

  /** One way to do the work. */
  interface Side {
    /** Does the work; this is timed. */
    void run() throws IOException, InterruptedException;

    /** Takes away what a run left; this is not timed. */
    void tidy() throws IOException;
  }

  /**
   * How it ended.
   *
   * @param oursSeconds median time of our runs
   * @param plainSeconds median time of the plain runs
   * @param speedRatio median over the pairs of our speed in units of the plain one
   */
  record Result(double oursSeconds, double plainSeconds, double speedRatio) {}

  Duel(String name, Side ours, Side plain) {
    this.name = name;
    this.ours = ours;
    this.plain = plain;
  }

  /** Runs {@code warmUpPairs} pairs that do not count and {@code pairs} pairs that do. */
  Result run(int warmUpPairs, int pairs, Progress progress)
      throws IOException, InterruptedException {
    List<Double> oursSeconds = new ArrayList<>();
    List<Double> plainSeconds = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (int pair = 1 - warmUpPairs; pair <= pairs; pair++) {
      progress.stage(
          pair <= 0 ? name + ", warm-up" : "%s, pair %d of %d".formatted(name, pair, pairs));
      boolean isOursFirst = pair % 2 == 0;
      double firstSeconds = seconds(isOursFirst ? ours : plain);
      double secondSeconds = seconds(isOursFirst ? plain : ours);
      if (pair > 0) {
        oursSeconds.add(isOursFirst ? firstSeconds : secondSeconds);
        plainSeconds.add(isOursFirst ? secondSeconds : firstSeconds);
        ratios.add(isOursFirst ? secondSeconds / firstSeconds : firstSeconds / secondSeconds);
      }
    }
    return new Result(
        new Sample(oursSeconds).median(),
        new Sample(plainSeconds).median(),
        new Sample(ratios).median());
  }

  /** How long a side takes. */
  static double seconds(Side side) throws IOException, InterruptedException {
    long startNanos = System.nanoTime();
    side.run();
    double seconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    side.tidy();
    return seconds;
  }
}
