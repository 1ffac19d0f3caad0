// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;

import io.lakestream.format.GenerationRecord;
import io.lakestream.format.GroupNames;
import io.lakestream.format.GroupNames.Report;
import io.lakestream.format.Id128;
import io.lakestream.format.ManifestHeader;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.Generation;
import io.lakestream.model.GroupStanding;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.RankFenced;
import io.lakestream.model.StepReclaimed;
import io.lakestream.model.Watermark;
import io.lakestream.runtime.Entropy;
import io.lakestream.runtime.Environment;
import io.lakestream.store.Body;
import io.lakestream.store.DeleteFailure;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The training jobs that read a stream; {@link Trimmer} has the argument why what they report
 * holds. A start that turns out to be below a trim is made void, so that the one before it counts
 * again; names are never used twice.
 */
public final class Groups {
  /** Launchers that start one job at once; more often than this is a mistake of theirs. */
  private static final int STARTS_MAX = 100;

  private static final System.Logger LOG = System.getLogger(Groups.class.getName());

  private final ManifestLog log;
  private final Entropy entropy;
  private final Grants grants;

  /** The jobs that read a stream. */
  public Groups(ManifestLog log, Environment environment) {
    this.log = log;
    this.entropy = environment.entropy();
    this.grants = new Grants(log, environment);
  }

  /**
   * Starts a job, anew if it ran before.
   *
   * @throws InvalidRequest if the step is beyond the end of the stream
   * @throws StepReclaimed if the step is gone
   * @throws CommitUnknown if the store does not say whether the start was recorded
   */
  public Generation start(String group, int worldSize, long startStep) throws IOException {
    ManifestHeader head = grants.head();
    Grants.requireWithin(head, startStep);
    Grants.requireThere(head, startStep);
    long number = GroupListing.read(log, GroupNames.group(group)).lastNumber(group) + 1;
    Optional<Id128> launch = Optional.of(Id128.drawn(entropy::nextLong));
    for (int i = 0; i < STARTS_MAX; i++) {
      Generation generation =
          new Generation(group, number + i, worldSize, startStep, head.version());
      if (put(new GenerationRecord(generation, launch))) {
        confirm(generation);
        return generation;
      }
    }
    throw new IOException(
        "group '%s' was started %d times by others meanwhile".formatted(group, STARTS_MAX));
  }

  /**
   * Whether the number was free. Stores and their clients resend puts whose reply was lost, so what
   * occupies it may be ours; and what is there after an unknown put may be another's.
   */
  private boolean put(GenerationRecord record) throws IOException {
    Body body = Body.of(record.encode(log.namespace()));
    PutOutcome outcome = log.store().putIfAbsent(record.key(), body);
    if (outcome == PutOutcome.CREATED) {
      return true;
    }
    Generation generation = record.generation();
    Optional<GenerationRecord> there =
        log.store()
            .read(record.key())
            .map(
                bytes ->
                    GenerationRecord.decode(
                        generation.group(), generation.number(), log.namespace(), bytes));
    if (there.isEmpty() && outcome == PutOutcome.UNKNOWN) {
      throw new CommitUnknown(
          "it is not known whether %s was recorded; start it again".formatted(generation));
    }
    return there.filter(found -> found.launch().equals(record.launch())).isPresent();
  }

  private void confirm(Generation generation) throws IOException {
    try {
      grants.grant(generation.startStep());
    } catch (StepReclaimed e) {
      mark(GroupNames.voided(generation.group(), generation.number()));
      throw e;
    }
  }

  private void mark(String key) throws IOException {
    if (!SettledObjects.put(log.store(), key, Body.of(new byte[0]))) {
      throw new CommitUnknown("it is not known whether %s was put; do it again".formatted(key));
    }
  }

  /**
   * Reports where a rank stands.
   *
   * @return what it reported before; it may be higher, since a rank may roll back
   * @throws InvalidRequest if there is no such start or rank, or the steps are beyond the head
   * @throws RankFenced if the job was started anew, or removed
   * @throws StepReclaimed if the rank rolls back to a step that is gone; its last report still
   *     holds
   * @throws CommitUnknown if the store does not say whether the report was recorded
   */
  public Optional<Watermark> report(Generation generation, int rank, Watermark watermark)
      throws IOException {
    if (rank < 0 || rank >= generation.worldSize()) {
      throw new InvalidRequest(
          "%s has ranks 0 to %d, not %d".formatted(generation, generation.worldSize() - 1, rank));
    }
    GroupListing listing = running(generation);
    ManifestHeader head = grants.head();
    Grants.requireWithin(head, watermark.step());
    Grants.requireWithin(head, watermark.readStep());
    Grants.requireThere(head, watermark.step());
    Map<Report, String> earlier = listing.reports(generation, rank);
    Optional<Report> last = earlier.keySet().stream().reduce((x, y) -> y);
    Report report = new Report(rank, last.map(Report::count).orElse(0L) + 1, watermark);
    String key = GroupNames.report(generation.group(), generation.number(), report);
    mark(key);
    long held = generation.heldStep(last.map(Report::watermark));
    // A listing may miss both a report and the one after it: then the start counts.
    long counted = Math.max(held, generation.startStep());
    if (watermark.step() < counted || Grants.isInDoubt(head, watermark.step())) {
      grant(key, watermark.step());
    }
    if (watermark.step() < held) {
      LOG.log(INFO, () -> rolledBack(generation, rank, held, watermark.step()));
    }
    deleteQuietly(List.copyOf(earlier.values()));
    return last.map(Report::watermark);
  }

  /**
   * What a rank reported before holds its step, if that is not higher. But it may never have been
   * granted, since its process died; no trim that was announced after the head was read can harm
   * then, and one before puts the step in doubt.
   */
  private void grant(String key, long step) throws IOException {
    try {
      grants.grant(step);
    } catch (StepReclaimed e) {
      deleteQuietly(List.of(key));
      throw e;
    }
  }

  private static String rolledBack(Generation generation, int rank, long held, long step) {
    return "rank %d of %s rolled back from step %d to %d: nothing from there on is given up"
        .formatted(rank, generation, held, step);
  }

  /** A listing of a job whose running start this is. */
  private GroupListing running(Generation generation) throws IOException {
    String group = generation.group();
    for (int i = 0; i < GroupListing.LISTINGS_MAX; i++) {
      GroupListing listing = GroupListing.read(log, GroupNames.group(group));
      long newest = listing.newest(group).orElse(0L);
      if (newest > generation.number()) {
        throw new RankFenced(
            ("group '%s' was started again (start %d), this process is left over from start %d; end"
                    + " it")
                .formatted(group, newest, generation.number()));
      }
      if (newest == generation.number()) {
        requireNotRemoved(listing, group);
        return listing;
      }
      // Perhaps it was overtaken and deleted while a listing that is not in order went on.
    }
    throw new InvalidRequest("there is no %s; start the job first".formatted(generation));
  }

  private static void requireNotRemoved(GroupListing listing, String group) {
    if (listing.running(group).isEmpty()) {
      throw new RankFenced(
          "group '%s' was removed: its job counts as done; end this process, or start the job again"
              .formatted(group));
    }
  }

  private void deleteQuietly(List<String> keys) {
    try {
      List<DeleteFailure> failures = log.store().delete(keys);
      if (!failures.isEmpty()) {
        LOG.log(DEBUG, () -> "Could not delete " + failures);
      }
    } catch (IOException e) {
      LOG.log(DEBUG, "Could not delete " + keys, e);
    }
  }

  /**
   * Lets a job go: its ranks hold nothing any more.
   *
   * @return whether there was one
   * @throws CommitUnknown if the store does not say whether that was recorded
   */
  public boolean remove(String group) throws IOException {
    Optional<Long> number = GroupListing.read(log, GroupNames.group(group)).running(group);
    if (number.isPresent()) {
      mark(GroupNames.removed(group, number.get()));
    }
    return number.isPresent();
  }

  /** Where the ranks of all running jobs stand. */
  public List<GroupStanding> standings() throws IOException {
    return GroupListing.standings(log);
  }
}
