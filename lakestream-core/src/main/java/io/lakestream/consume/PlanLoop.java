// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

import io.lakestream.format.FormatLimits;
import io.lakestream.format.ManifestHeader;
import io.lakestream.manifest.StepLocator;
import io.lakestream.policy.ConsumerSettings;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Follows the head and plans steps, some in one go, before they are wanted. Run by one thread. */
public final class PlanLoop {
  private final Prefetch prefetch;
  private final StepPlanner planner;
  private final ConsumerSettings settings;
  private final long headAtStart;
  private Position next;
  private long pauseMillis;

  public PlanLoop(
      Prefetch prefetch, StepPlanner planner, ConsumerSettings settings, Position first) {
    this.prefetch = prefetch;
    this.planner = planner;
    this.settings = settings;
    this.headAtStart = planner.header().nextStep();
    this.next = planner.past(first);
    this.pauseMillis = settings.pollMillisMin();
  }

  /**
   * Steps planned in one go: as many as a chunk has, which is read as a whole, but no more than are
   * going to be fetched, since finding those behind them may take requests.
   */
  static int roundSteps(ConsumerSettings settings) {
    return Math.min(FormatLimits.CHUNK_STEPS, settings.prefetchSteps());
  }

  public void run() throws InterruptedException {
    try {
      while (prefetch.awaitDemand()) {
        if (isAhead()) {
          planRound();
        } else if (isPastEnd()) {
          prefetch.end();
          return;
        } else {
          poll();
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      prefetch.endWith(next.step(), e);
    }
  }

  /** A step that lacks some of the stream's steps at the end is none, on any rank. */
  private boolean isPastEnd() {
    ManifestHeader header = planner.header();
    return settings.end() == ConsumerSettings.End.HEAD
        ? !planner.isWithin(next, headAtStart)
        : header.isSealed() && !planner.isWithin(next, header.nextStep());
  }

  private boolean isAhead() {
    return planner.isWithin(next, planner.header().nextStep()) && !isPastEnd();
  }

  private void planRound() throws IOException {
    for (int i = 0; i < roundSteps(settings) && isAhead(); i++) {
      PlannedStep step = planner.plan(next);
      prefetch.plan(step);
      next = planner.past(step.next());
    }
  }

  private void poll() throws IOException, InterruptedException {
    StepLocator locator = planner.locator();
    if (locator.poll()) {
      pauseMillis = settings.pollMillisMin();
      return;
    }
    locator.caughtUp();
    prefetch.pause(TimeUnit.MILLISECONDS.toNanos(pauseMillis));
    pauseMillis = Math.min(2 * pauseMillis, settings.pollMillisMax());
  }
}
