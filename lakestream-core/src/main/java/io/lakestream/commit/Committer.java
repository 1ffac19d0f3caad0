// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import io.lakestream.format.CommitKind;
import io.lakestream.format.FormatLimits;
import io.lakestream.format.Id128;
import io.lakestream.format.Manifest;
import io.lakestream.format.ProducerEntry;
import io.lakestream.manifest.CheckedHead;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.CommitContended;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.InvalidRequest;
import io.lakestream.policy.CommitSettings;
import io.lakestream.runtime.Environment;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes changes of the stream true. For use by one thread at a time.
 *
 * <p>Why an acknowledged change is in the stream for ever, exactly once.
 *
 * <ol>
 *   <li><b>One winner.</b> A candidate is put to the one key of the version after its base, so it
 *       is built on everything that was committed before, or it is not created.
 *   <li><b>Unknown is not a guess.</b> After a lost reply the same bytes are put to the same key
 *       until the store decides; once the key is taken, the commit id in the object says by whom. A
 *       late put of ours then finds the key taken too, or creates a version that is dead.
 *   <li><b>Created is not yet committed.</b> A writer that slept may create a version that was
 *       deleted. So the boundary is read after the put; at or below it, the version proves nothing,
 *       and the producer table of a checked head decides whether the change was made.
 *   <li><b>Nothing is undone.</b> No object is deleted because of an outcome.
 * </ol>
 */
public final class Committer {
  private static final long PAUSE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  private final ManifestLog log;
  private final Environment environment;
  private final CommitSettings settings;
  private final Archives archives;
  private final Reliever reliever;
  private CheckedHead<Manifest> head;
  private long nextHintNanos;

  /** A committer that starts from the present head. */
  public Committer(ManifestLog log, Environment environment, CommitSettings settings)
      throws IOException {
    this(log, environment, settings, log.heads().find(0));
  }

  /** A committer that starts from a head that was found before. */
  public Committer(
      ManifestLog log,
      Environment environment,
      CommitSettings settings,
      CheckedHead<Manifest> head) {
    this.log = log;
    this.environment = environment;
    this.settings = settings;
    this.archives = new Archives(log);
    this.reliever = new Reliever(log, archives);
    this.head = head;
    this.nextHintNanos = environment.clock().nanoTime();
  }

  /** The newest head that this committer knows. */
  public CheckedHead<Manifest> head() {
    return head;
  }

  /** A new id for a change. */
  public Id128 newCommitId() {
    return Id128.drawn(environment.entropy()::nextLong);
  }

  /**
   * A producer's new term.
   *
   * @param term the term
   * @param entry the state that the producer goes on from
   * @param fragileWindowNanos τ of the attempt that opened it
   */
  public record Opening(Term term, ProducerEntry entry, long fragileWindowNanos) {}

  /**
   * Opens a producer: starts a term that fences every earlier one.
   *
   * @throws io.lakestream.model.StreamSealed if the stream has its end
   * @throws InvalidRequest if the manifest has no room for another producer
   * @throws CommitUnknown if the store does not say in time whether it was opened
   * @throws CommitContended if it lost {@link CommitSettings#attemptsMax} races
   * @throws IOException if the store fails; no term was started
   */
  public Opening open(String producer) throws IOException, InterruptedException {
    Id128 id = newCommitId();
    for (int attempt = 1; ; attempt++) {
      Manifest base = head.manifest();
      Optional<ProducerEntry> archived =
          base.producers().active(producer).isPresent()
              ? Optional.empty()
              : archives.find(base.producers(), producer);
      OpenChange change = new OpenChange(id, producer, base.producers().archive(), archived);
      CommitOutcome outcome = attempt(change);
      if (outcome instanceof CommitOutcome.Committed committed) {
        ProducerEntry entry =
            committed.head().manifest().producers().active(producer).orElseThrow();
        return new Opening(
            new Term(producer, entry.epoch()), entry, warmWindow(committed.fragileWindowNanos()));
      }
      pauseAfterLoss(change, attempt, outcome);
    }
  }

  /**
   * The fragile window as later attempts will find it. The first attempt of a process pays for the
   * loading of classes; the hint is a put too, and comes after. An attempt is two requests.
   */
  private long warmWindow(long firstWindowNanos) {
    long start = environment.clock().nanoTime();
    leaveLastHint();
    return Math.min(firstWindowNanos, 2 * elapsedSince(start));
  }

  /**
   * Makes a change, however many races it takes.
   *
   * @throws CommitUnknown if the store does not say in time whether it was made
   * @throws CommitContended if it lost {@link CommitSettings#attemptsMax} races
   * @throws IOException if the store fails; the change was not made
   */
  public CommitOutcome.Committed commit(Change change) throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      CommitOutcome outcome = attempt(change);
      if (outcome instanceof CommitOutcome.Committed committed) {
        return committed;
      }
      pauseAfterLoss(change, attempt, outcome);
    }
  }

  private void pauseAfterLoss(Change change, int attempt, CommitOutcome lost)
      throws InterruptedException {
    if (attempt >= settings.attemptsMax()) {
      throw new CommitContended(
          "%s lost %d races for the next manifest version; try again, with fewer producers at once"
              .formatted(change.kind(), attempt));
    }
    double uniform = environment.entropy().nextDouble();
    environment.clock().sleep(LossPause.nanos(attempt, lost.fragileWindowNanos(), uniform));
  }

  /**
   * Tries to make a change with one conditional put.
   *
   * @throws CommitUnknown if the store does not say in time whether it took effect
   * @throws IOException if the store fails; the change was not made by this attempt
   */
  public CommitOutcome attempt(Change change) throws IOException, InterruptedException {
    long start = environment.clock().nanoTime();
    refresh();
    if (!change.isDone(head.manifest()) && reliever.prepare(head.manifest())) {
      start = environment.clock().nanoTime();
      refresh();
    }
    if (change.isDone(head.manifest())) {
      return new CommitOutcome.Committed(head, elapsedSince(start));
    }
    Optional<Manifest> candidate = candidate(change);
    if (candidate.isEmpty()) {
      return new CommitOutcome.Deferred(head, elapsedSince(start));
    }
    PutOutcome outcome = log.put(candidate.get());
    try {
      return settled(change, candidate.get(), outcome, start);
    } catch (IOException e) {
      throw unknown(change, candidate.get(), "took it, but does not say what stands", e);
    }
  }

  /**
   * Alone, a producer's own last version is nearly always the head, and a stale one costs a lost
   * race; among others a look is cheaper.
   */
  private void refresh() throws IOException {
    if (head.manifest().producers().active().size() != 1) {
      head = log.heads().advance(head);
    }
  }

  private Optional<Manifest> candidate(Change change) {
    if (change.kind() != CommitKind.OPEN) {
      return change.apply(reliever.relieve(head.manifest()), head.boundary());
    }
    // What an opening knows of its producer holds for the retired and archived as they were read,
    // so it is applied to them and relieved afterwards.
    Optional<Manifest> opened =
        change.apply(head.manifest(), head.boundary()).map(reliever::relieve);
    if (opened.isPresent() && opened.get().bytes() > FormatLimits.MANIFEST_BYTES_FREE) {
      throw new InvalidRequest(
          "the manifest has %d bytes, too many for another producer; close or retire some"
              .formatted(opened.get().bytes()));
    }
    return opened;
  }

  /** What an attempt came to, once its candidate was put. */
  private CommitOutcome settled(Change change, Manifest candidate, PutOutcome first, long start)
      throws IOException, InterruptedException {
    PutOutcome outcome = decided(change, candidate, first);
    boolean isOurs = outcome == PutOutcome.CREATED || isOurs(candidate);
    long fragileWindow = elapsedSince(start);
    head = isOurs ? believed(candidate) : log.heads().advance(head);
    boolean isHead = isOurs && head.version() == candidate.version();
    return isHead || change.isDone(head.manifest())
        ? new CommitOutcome.Committed(head, fragileWindow)
        : new CommitOutcome.Lost(head, fragileWindow);
  }

  private long elapsedSince(long start) {
    return environment.clock().nanoTime() - start;
  }

  /** A head from after our version was created: that version, unless it was dead already. */
  private CheckedHead<Manifest> believed(Manifest created) throws IOException {
    Optional<CheckedHead<Manifest>> checked = log.heads().check(created);
    return checked.isPresent() ? checked.get() : log.heads().find(0);
  }

  /**
   * Puts a candidate again until the store says whether its key is taken. A failure of a repeat
   * decides nothing: the first put may still take effect.
   */
  private PutOutcome decided(Change change, Manifest candidate, PutOutcome first)
      throws InterruptedException {
    PutOutcome outcome = first;
    IOException failure = null;
    long deadline =
        environment.clock().nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.unknownMillisMax());
    long pauseNanos = PAUSE_NANOS_MIN;
    while (outcome == PutOutcome.UNKNOWN) {
      if (environment.clock().nanoTime() >= deadline) {
        String why = "gave no answer in %d ms".formatted(settings.unknownMillisMax());
        throw unknown(change, candidate, why, failure);
      }
      environment.clock().sleep(pauseNanos);
      pauseNanos = Math.min(2 * pauseNanos, PAUSE_NANOS_MAX);
      try {
        outcome = log.put(candidate);
      } catch (IOException e) {
        failure = e;
      }
    }
    return outcome;
  }

  private static CommitUnknown unknown(
      Change change, Manifest candidate, String why, @Nullable IOException failure) {
    String remedy =
        switch (change.kind()) {
          case PUBLISH, OPEN -> "open the producer again";
          default -> "do the same again";
        };
    String message =
        ("it is not known whether version %d (%s, commit %s) was created, since the store %s%s; %s,"
                + " which settles it")
            .formatted(
                candidate.version(),
                change.kind(),
                candidate.header().commitId(),
                why,
                failure == null ? "" : ": " + failure.getMessage(),
                remedy);
    return failure == null ? new CommitUnknown(message) : new CommitUnknown(message, failure);
  }

  /** Stores and their SDKs resend puts whose reply was lost, so what occupies may be ours. */
  private boolean isOurs(Manifest candidate) throws IOException {
    return log.read(candidate.version())
        .filter(found -> found.header().commitId().equals(candidate.header().commitId()))
        .isPresent();
  }

  /**
   * Leaves a hint to the head, now and then. For a caller that nobody waits for: a store may be
   * slow to take it.
   */
  public void leaveHint() {
    if (environment.clock().nanoTime() - nextHintNanos >= 0) {
      leaveLastHint();
    }
  }

  /** Leaves a hint to what may be the head for long. */
  public void leaveLastHint() {
    nextHintNanos =
        environment.clock().nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.hintMillis());
    log.leaveHint(head);
  }
}
