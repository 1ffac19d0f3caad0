// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

import io.lakestream.format.Descriptor;
import io.lakestream.format.FormatLimits;
import io.lakestream.format.ManifestHeader;
import io.lakestream.manifest.StepLocator;
import io.lakestream.model.Cell;
import io.lakestream.model.DataLoss;
import io.lakestream.model.Schema;
import io.lakestream.policy.ConsumerSettings;
import java.io.IOException;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Follows the head and plans steps, some in one go, before they are wanted. Run by one thread. */
public final class PlanLoop {
  /** Steps planned in one go: as many as a chunk has, which is read as a whole. */
  private static final int ROUND_STEPS = FormatLimits.CHUNK_STEPS;

  private final Prefetch prefetch;
  private final StepLocator locator;
  private final SliceReader reader;
  private final Cell cell;
  private final ConsumerSettings settings;
  private final TreeMap<Long, Schema> schemas = new TreeMap<>();
  private final long headAtStart;
  private long nextStep;
  private long pauseMillis;

  public PlanLoop(
      Prefetch prefetch,
      StepLocator locator,
      SliceReader reader,
      Cell cell,
      ConsumerSettings settings,
      long firstStep) {
    this.prefetch = prefetch;
    this.locator = locator;
    this.reader = reader;
    this.cell = cell;
    this.settings = settings;
    this.headAtStart = locator.header().nextStep();
    this.nextStep = firstStep;
    this.pauseMillis = settings.pollMillisMin();
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
      prefetch.endWith(nextStep, e);
    }
  }

  private boolean isPastEnd() {
    ManifestHeader header = locator.header();
    return settings.end() == ConsumerSettings.End.HEAD
        ? nextStep >= headAtStart
        : header.isSealed() && nextStep >= header.nextStep();
  }

  private boolean isAhead() {
    return nextStep < locator.header().nextStep() && !isPastEnd();
  }

  private void planRound() throws IOException {
    for (int i = 0; i < ROUND_STEPS && isAhead(); i++) {
      plan(locator.descriptor(nextStep));
    }
  }

  private void plan(Descriptor descriptor) throws IOException {
    prefetch.plan(nextStep, descriptor, schema(descriptor), reader.bytes(descriptor, cell));
    nextStep++;
  }

  private Schema schema(Descriptor descriptor) throws IOException {
    Schema known = schemas.get(descriptor.schemaId());
    if (known != null) {
      return known;
    }
    Schema found =
        locator
            .tables()
            .schema(descriptor.schemaId())
            .orElseThrow(
                () ->
                    new DataLoss(
                        "manifest version %d lacks the schema of step %d; restore it"
                            .formatted(locator.header().version(), nextStep)));
    schemas.put(descriptor.schemaId(), found);
    return found;
  }

  private void poll() throws IOException, InterruptedException {
    if (locator.poll()) {
      pauseMillis = settings.pollMillisMin();
      return;
    }
    locator.caughtUp();
    prefetch.pause(TimeUnit.MILLISECONDS.toNanos(pauseMillis));
    pauseMillis = Math.min(2 * pauseMillis, settings.pollMillisMax());
  }
}
