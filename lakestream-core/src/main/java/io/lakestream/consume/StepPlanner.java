// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

import io.lakestream.format.Descriptor;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.SkipSet;
import io.lakestream.format.StreamTables.ForkSource;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.StepLocator;
import io.lakestream.model.DataLoss;
import io.lakestream.model.Schema;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds what a rank will read at each step of its job. For use by one thread. */
public final class StepPlanner {
  private final ManifestLog log;
  private final StepLocator locator;
  private final Reshape reshape;
  private final SliceReader own;
  private final SkipSet skips;
  private final TreeMap<Long, Schema> schemas = new TreeMap<>();
  private @Nullable List<ForkSource> sources;

  /**
   * A planner for one start of a job.
   *
   * @param skips the steps of the stream that the start skips
   */
  public StepPlanner(ManifestLog log, StepLocator locator, Reshape reshape, SkipSet skips) {
    this.log = log;
    this.locator = locator;
    this.reshape = reshape;
    this.own = new SliceReader(log.store(), reshape.written());
    this.skips = skips;
  }

  /** Where the next step to be read begins: at {@code at} or behind what is skipped there. */
  Position past(Position at) {
    long step = skips.past(at.step());
    return step == at.step() ? at : new Position(step, 0);
  }

  StepLocator locator() {
    return locator;
  }

  ManifestHeader header() {
    return locator.header();
  }

  /** Whether a stream of {@code steps} has all that the job's step at {@code at} takes. */
  boolean isWithin(Position at, long steps) {
    return reshape.lastTgb(at) < steps;
  }

  /** The step that begins at {@code at} and lies within the head. */
  PlannedStep plan(Position at) throws IOException {
    long tgb = reshape.tgb(at);
    long last = reshape.lastTgb(at);
    Descriptor descriptor = locator.descriptor(tgb);
    long version = last == tgb ? descriptor.version() : locator.descriptor(last).version();
    return planned(reshape.next(at), version, tgb, reshape.replica(at), descriptor);
  }

  private PlannedStep planned(
      Position next, long version, long tgb, int replica, Descriptor descriptor)
      throws IOException {
    Schema schema = schema(tgb, descriptor);
    SliceReader slices = slices(tgb);
    long bytes = slices.expectedBytes(descriptor, reshape, replica);
    return new PlannedStep(next, version, tgb, replica, descriptor, schema, bytes, slices);
  }

  /** What reads a step, which may be one of a namespace that this one was forked from. */
  private SliceReader slices(long step) throws IOException {
    List<ForkSource> known = sources;
    if (known == null) {
      known = locator.tables().sources();
      sources = known;
    }
    return known.isEmpty()
        ? own
        : new SliceReader(log.home(step, known).store(), reshape.written());
  }

  private Schema schema(long step, Descriptor descriptor) throws IOException {
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
                            .formatted(locator.header().version(), step)));
    schemas.put(descriptor.schemaId(), found);
    return found;
  }

  /**
   * The step of the stream that is read first from {@code at} on, or the last one: to see what it
   * is like. None if that is skipped.
   */
  public Optional<PlannedStep> sample(Position at) throws IOException {
    long tgb = Math.min(past(at).step(), header().nextStep() - 1);
    if (tgb < header().firstStep() || skips.past(tgb) > tgb) {
      return Optional.empty();
    }
    Descriptor descriptor = locator.descriptor(tgb);
    return Optional.of(planned(at, descriptor.version(), tgb, 0, descriptor));
  }
}
