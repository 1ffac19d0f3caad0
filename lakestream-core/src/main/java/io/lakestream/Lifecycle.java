// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import io.lakestream.lifecycle.Groups;
import io.lakestream.lifecycle.Pins;
import io.lakestream.lifecycle.Promises;
import io.lakestream.lifecycle.Reclaimer;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.Generation;
import io.lakestream.model.GroupStanding;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Pin;
import io.lakestream.model.Promise;
import io.lakestream.model.Reclaimed;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.model.Watermark;
import io.lakestream.policy.ReclaimSettings;
import io.lakestream.runtime.Environment;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * What of a stream may still be needed, and the removal of what may not: reclamation follows the
 * checkpoints (paper §5.3). Jobs report where the checkpoints of their ranks resume, pins keep
 * single checkpoints, and a pass of {@link #reclaim} gives up what is below all of them. Safe for
 * use by several threads.
 *
 * <p>All methods throw {@link StoreUnavailable} if the store fails, {@link
 * io.lakestream.model.CorruptObject} and {@link io.lakestream.model.DataLoss} if what they rest on
 * is damaged or gone. A promise that meets an announced trim takes it back with a commit: it throws
 * {@link io.lakestream.model.CommitContended} if too many others are committing, and {@link
 * StoreUnavailable} with the thread's interrupt status set if that is interrupted; then a report or
 * a start may count or not, and is to be made again.
 */
public final class Lifecycle {
  private final ManifestLog log;
  private final Environment environment;

  /** All data below this step was deleted by a pass of ours. */
  private volatile long reclaimedBelow;

  Lifecycle(ManifestLog log, Environment environment) {
    this.log = log;
    this.environment = environment;
  }

  /**
   * Promises that the stream can be resumed from a step until {@link #unpin}. Set it before the
   * checkpoint that needs it counts as saved, and before the rank's watermark moves past it.
   *
   * @param label what it is for, for people
   * @throws io.lakestream.model.InvalidRequest if the step is below 0 or beyond the head, or the
   *     label too long
   * @throws io.lakestream.model.StepReclaimed if the step is gone
   * @throws io.lakestream.model.CommitUnknown if the store does not say whether it was set; set it
   *     again
   */
  public Pin pin(long step, String label) {
    return of("step %d could not be pinned".formatted(step), () -> pins().add(step, label));
  }

  /**
   * Takes a pin back.
   *
   * @return whether there was one of this name
   * @throws io.lakestream.model.InvalidRequest if that cannot be the name of a pin
   */
  public boolean unpin(String name) {
    return of("pin %s could not be removed".formatted(name), () -> pins().remove(name));
  }

  /** The pins, lowest step first. */
  public List<Pin> pinned() {
    return of("the pins could not be read", () -> Pins.all(log));
  }

  /**
   * Records that a training job starts, or starts again. Its launcher does that before any rank
   * starts, and hands the generation to the ranks.
   *
   * @param group the job's name over all its starts
   * @param worldSize how many ranks will report
   * @param startStep the step of the checkpoint it starts from; for a roll-back that is below what
   *     the ranks of the start before have reported
   * @throws io.lakestream.model.InvalidRequest if the name is not usable, or the step beyond the
   *     head
   * @throws io.lakestream.model.StepReclaimed if the step is gone; the start before goes on to
   *     count
   * @throws io.lakestream.model.CommitUnknown if the store does not say whether it was recorded;
   *     start it again
   */
  public Generation start(String group, int worldSize, long startStep) {
    return of(
        "group '%s' could not be started".formatted(group),
        () -> groups().start(group, worldSize, startStep));
  }

  /**
   * Reports where a rank stands. What is below the lowest report of all ranks and the lowest pin
   * may be given up from now on.
   *
   * @return what the rank reported before; a rank that rolled back stood higher
   * @throws io.lakestream.model.InvalidRequest if there is no such start or rank, or the steps are
   *     beyond the head
   * @throws io.lakestream.model.RankFenced if the job was removed, was started anew meanwhile, or
   *     is about to be
   * @throws io.lakestream.model.StepReclaimed if the rank rolls back to a step that is gone; what
   *     it reported before goes on to count
   * @throws io.lakestream.model.CommitUnknown if the store does not say whether it was recorded;
   *     report again
   */
  public Optional<Watermark> report(Generation generation, int rank, Watermark watermark) {
    return of(
        "rank %d of %s could not report".formatted(rank, generation),
        () -> groups().report(generation, rank, watermark));
  }

  /**
   * Lets a job go that is done: its ranks hold nothing any more. It may be started again.
   *
   * @return whether there was one
   * @throws io.lakestream.model.CommitUnknown if the store does not say whether that was recorded;
   *     remove it again
   */
  public boolean remove(String group) {
    return of("group '%s' could not be removed".formatted(group), () -> groups().remove(group));
  }

  /** Where the ranks of all jobs stand that were not removed. */
  public List<GroupStanding> standings() {
    return of("the groups could not be read", () -> groups().standings());
  }

  /** All promises, lowest step first: the first of them holds back reclamation. */
  public List<Promise> promises() {
    return of("the promises could not be read", () -> Promises.read(log).all());
  }

  /**
   * Gives up the steps below all promises, and deletes what held them. Nothing is given up while
   * nobody but forks has promised anything. May run anywhere and several times at once.
   *
   * @throws io.lakestream.model.CommitUnknown if the store does not say whether the trim took
   *     effect; reclaim again
   * @throws io.lakestream.model.CommitContended if too many others were committing
   * @throws io.lakestream.model.DataLoss if a record of a promise is gone, or of a fork the source
   *     that it needs
   * @throws StoreUnavailable if the store fails; what was deleted stays deleted
   */
  public Reclaimed reclaim(ReclaimSettings settings) throws InterruptedException {
    try {
      Reclaimer reclaimer = new Reclaimer(log, settings, environment, reclaimedBelow);
      Reclaimed reclaimed = reclaimer.run();
      reclaimedBelow = reclaimer.doneBelow();
      return reclaimed;
    } catch (IOException e) {
      throw new StoreUnavailable("reclaiming stopped: " + e.getMessage(), e);
    }
  }

  /**
   * Reclaims again and again in a thread of its own, until that is closed: for a process that runs
   * anyway, such as a producer or a trainer. Returns at once; what goes wrong is logged.
   *
   * @param everyMillis how long it waits between passes, on average
   * @throws InvalidRequest if that is not positive
   */
  public BackgroundReclamation reclaimInBackground(ReclaimSettings settings, long everyMillis) {
    if (everyMillis < 1) {
      throw new InvalidRequest(
          "there is at least 1 ms between passes of reclamation, not %d".formatted(everyMillis));
    }
    return new BackgroundReclamation(this, settings, everyMillis, environment);
  }

  private Pins pins() {
    return new Pins(log, environment);
  }

  private Groups groups() {
    return new Groups(log, environment);
  }

  /** Work on the store. */
  @FunctionalInterface
  private interface Work<T> {
    T run() throws IOException;
  }

  private static <T> T of(String failure, Work<T> work) {
    try {
      return work.run();
    } catch (IOException e) {
      throw new StoreUnavailable(failure + ": " + e.getMessage(), e);
    }
  }
}
