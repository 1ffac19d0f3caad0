// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.policy.ReclaimSettings;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** How long things take and how often they happen in one run: drawn once, so that runs differ. */
record Chances(
    int producers,
    int batchesEach,
    long storeMeanNanos,
    long writePauseNanos,
    long stepPauseNanos,
    long lifeMeanNanos,
    int reclaimers,
    long reclaimPauseNanos,
    int pinners,
    int forkers,
    int savedOneIn,
    int pinsKept,
    int versionsKept,
    long versionsIdle,
    long outagePauseNanos,
    int skips,
    double faultScale) {

  /** Of each of four producers, so that a stream has segments, and more steps than a tail takes. */
  private static final int LONG_BATCHES = 150;

  static Chances draw(SplittableRandom random) {
    return new Chances(
        1 + random.nextInt(4),
        5 + random.nextInt(30),
        millis(1 + random.nextInt(50)),
        millis(1 + random.nextInt(200)),
        millis(1 + random.nextInt(100)),
        millis(200 + random.nextInt(10_000)),
        1 + random.nextInt(3),
        millis(200 + random.nextInt(8_000)),
        random.nextInt(3),
        random.nextInt(2),
        1 + random.nextInt(16),
        random.nextInt(4),
        1 + random.nextInt(20),
        random.nextBoolean() ? ReclaimSettings.NEVER : 10 + random.nextInt(50),
        millis(5_000 + random.nextInt(60_000)),
        random.nextInt(8),
        random.nextInt(4) == 0 ? 0 : random.nextDouble());
  }

  /** Several who reclaim often and keep little, beside users, forks and writers that stall. */
  static Chances hurried(SplittableRandom random) {
    Chances any = draw(random);
    boolean isLong = random.nextInt(16) == 0;
    return new Chances(
        isLong ? 4 : any.producers,
        isLong ? LONG_BATCHES : any.batchesEach,
        any.storeMeanNanos,
        isLong ? millis(20) : any.writePauseNanos,
        isLong ? millis(10) : any.stepPauseNanos,
        any.lifeMeanNanos,
        2 + random.nextInt(2),
        millis(200 + random.nextInt(1_500)),
        1 + random.nextInt(2),
        1,
        any.savedOneIn,
        any.pinsKept,
        1 + random.nextInt(3),
        any.versionsIdle,
        any.outagePauseNanos,
        any.skips,
        any.faultScale);
  }

  /** How the stream is reclaimed. */
  ReclaimSettings reclaimSettings() {
    return ReclaimSettings.DEFAULT.keeping(versionsKept).retiringAfter(versionsIdle);
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** An exponential time. */
  static long around(SplittableRandom random, long meanNanos) {
    return 1 + (long) (-Math.log1p(-random.nextDouble()) * meanNanos);
  }
}
