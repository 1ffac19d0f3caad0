// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import io.lakestream.commit.Committer;
import io.lakestream.commit.RetireChange;
import io.lakestream.commit.SealChange;
import io.lakestream.commit.SkipChange;
import io.lakestream.commit.Term;
import io.lakestream.format.Manifest;
import io.lakestream.format.NamespaceRecord;
import io.lakestream.fsck.Fsck;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.Sources;
import io.lakestream.model.CheckReport;
import io.lakestream.model.Cursor;
import io.lakestream.model.Mesh;
import io.lakestream.model.PublicationListener;
import io.lakestream.model.SealMode;
import io.lakestream.model.SkippedRange;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.model.Topology;
import io.lakestream.policy.CommitSettings;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.policy.ForkSettings;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.runtime.Environment;
import io.lakestream.store.MeteredStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.RetryingStore;
import io.lakestream.store.StoreMetrics;
import io.lakestream.store.Stores;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * An open namespace: the way to its producers and consumers. Safe for use by several threads. Close
 * what it handed out before it.
 */
public final class Namespace implements AutoCloseable {
  private final String place;
  private final NamespaceRecord record;
  private final ObjectStore store;
  private final MeteredStore metered;
  private final Environment environment;
  private final Function<String, ObjectStore> opener;
  private final Sources sources;
  private final ManifestLog log;
  private final Lifecycle lifecycle;

  Namespace(
      String place,
      NamespaceRecord record,
      ObjectStore store,
      MeteredStore metered,
      Function<String, ObjectStore> opener,
      Environment environment) {
    this.place = place;
    this.record = record;
    this.store = store;
    this.metered = metered;
    this.environment = environment;
    this.opener = opener;
    this.sources =
        new Sources(
            source ->
                new RetryingStore(
                    opener.apply(source), RetryingStore.Settings.DEFAULT, environment));
    this.log = new ManifestLog(store, metered, record.uuid(), sources);
    this.lifecycle = new Lifecycle(log, environment);
  }

  /** Where the namespace is, as it was opened. */
  public String place() {
    return place;
  }

  /** The namespace's uuid. */
  public UUID uuid() {
    return record.uuid();
  }

  /** The mesh that the stream is written for. */
  public Mesh mesh() {
    return record.mesh();
  }

  /** As {@link #producer(String, ProducerSettings, PublicationListener)}, with the defaults. */
  public Producer producer(String id) throws InterruptedException {
    return producer(id, ProducerSettings.DEFAULT, PublicationListener.none());
  }

  /**
   * Opens a producer, fencing any earlier process of the same id.
   *
   * @param id the producer's name over all its lives, at most 64 bytes once escaped
   * @param listener told of each batch that became a step
   * @throws io.lakestream.model.InvalidRequest if the id is empty or too long, or the stream has as
   *     many active producers as a manifest holds
   * @throws io.lakestream.model.StreamSealed if the stream takes no more batches
   * @throws io.lakestream.model.CommitUnknown if the store does not say whether the opening took
   *     effect; open again
   * @throws io.lakestream.model.CommitContended if too many others were opening or committing
   * @throws io.lakestream.model.CorruptObject if the stream's metadata is damaged
   * @throws io.lakestream.model.DataLoss if an object of it is missing
   * @throws StoreUnavailable if the store fails
   */
  public Producer producer(String id, ProducerSettings settings, PublicationListener listener)
      throws InterruptedException {
    return Producer.open(log, mesh(), id, settings, listener, environment);
  }

  /**
   * As {@link #consumer(Topology, Cursor, ConsumerSettings)}, from the start, with the defaults.
   */
  public Consumer consumer(Topology topology) throws InterruptedException {
    return consumer(topology, Cursor.start(uuid()), ConsumerSettings.DEFAULT);
  }

  /**
   * Opens a consumer of one rank's slices.
   *
   * @param topology the rank's place in its job
   * @param start where to start, such as {@link Cursor#start} or a saved cursor
   * @throws io.lakestream.model.InvalidRequest if the job's mesh is not the stream's and the
   *     settings' remap does not lead from one to the other, or the cursor is of another namespace,
   *     ahead of the stream, beyond its end, or where no step of the job begins, or if the start
   *     whose skips are honoured is ahead of the stream, or part of a step of the job is to be
   *     skipped
   * @throws io.lakestream.model.StepReclaimed if the stream does not have the cursor's step any
   *     more
   * @throws io.lakestream.model.CorruptObject if the stream's metadata is damaged
   * @throws io.lakestream.model.DataLoss if an object of it is missing
   * @throws StoreUnavailable if the store fails
   */
  public Consumer consumer(Topology topology, Cursor start, ConsumerSettings settings)
      throws InterruptedException {
    return Consumer.open(log, mesh(), topology, start, settings, environment);
  }

  /**
   * A look at the stream as it is now.
   *
   * @throws io.lakestream.model.CorruptObject if the stream's metadata is damaged
   * @throws io.lakestream.model.DataLoss if an object of it is missing
   * @throws StoreUnavailable if the store fails
   */
  public StreamView view() {
    return StreamView.open(log, mesh());
  }

  /**
   * Gives the stream its end, for an operator; a producer has {@link Producer#seal}.
   *
   * @throws io.lakestream.model.InvalidRequest if a producer is active and {@code mode} does not
   *     force it
   * @throws io.lakestream.model.CommitUnknown if the store does not say whether it took effect;
   *     seal again
   * @throws io.lakestream.model.CommitContended if too many others were committing
   * @throws io.lakestream.model.CorruptObject if the stream's metadata is damaged
   * @throws io.lakestream.model.DataLoss if an object of it is missing
   * @throws StoreUnavailable if the store fails
   */
  public void seal(SealMode mode) throws InterruptedException {
    try {
      Committer committer = new Committer(log, environment, CommitSettings.DEFAULT);
      var unused =
          committer.commit(new SealChange(committer.newCommitId(), Optional.empty(), mode));
      committer.leaveLastHint();
    } catch (IOException e) {
      throw new StoreUnavailable("the stream could not be sealed: " + e.getMessage(), e);
    }
  }

  /**
   * Ends the term of a producer that cannot end it itself, because its process died or its machine
   * is gone. A process that still has the term is fenced. What the producer published stays, and an
   * opening of the same id goes on behind it.
   *
   * @return whether the producer had a term
   * @throws io.lakestream.model.CommitUnknown if the store does not say whether it took effect;
   *     retire it again
   * @throws io.lakestream.model.CommitContended if too many others were committing
   * @throws io.lakestream.model.CorruptObject if the stream's metadata is damaged
   * @throws io.lakestream.model.DataLoss if an object of it is missing
   * @throws StoreUnavailable if the store fails
   */
  public boolean retire(String producer) throws InterruptedException {
    try {
      Committer committer = new Committer(log, environment, CommitSettings.DEFAULT);
      Optional<Term> term = Term.of(producer, committer.head().manifest());
      if (term.isPresent()) {
        var unused = committer.commit(new RetireChange(committer.newCommitId(), term.get()));
        committer.leaveLastHint();
      }
      return term.isPresent();
    } catch (IOException e) {
      throw new StoreUnavailable(
          "producer '%s' could not be retired: %s".formatted(producer, e.getMessage()), e);
    }
  }

  /**
   * Forks the stream: makes a new namespace that has its steps up to one and goes its own way from
   * there, with other data or other ranks. Batches are not copied; this namespace keeps, by a pin,
   * those that the fork needs, and the fork's reclamation moves that pin. Whoever has a cursor of
   * this namespace goes on in the fork from it, up to the step of the fork.
   *
   * @param place where the fork will be: a URI, or a path of the local file system
   * @return the fork, open
   * @throws io.lakestream.model.InvalidRequest if the stream does not have the step yet, something
   *     is at the place, or producers cannot be resumed; the message says what to do
   * @throws io.lakestream.model.StepReclaimed if the stream does not have the first step of the
   *     fork any more
   * @throws io.lakestream.model.NamespaceExists if there is a namespace at the place
   * @throws io.lakestream.model.UnsupportedStore if the fork's store lacks what safety rests on
   * @throws io.lakestream.model.CommitUnknown if a store does not say whether the fork or its pin
   *     was made; the message says which
   * @throws io.lakestream.model.CorruptObject if the stream's metadata is damaged
   * @throws io.lakestream.model.DataLoss if an object of it is missing
   * @throws StoreUnavailable if a store fails
   */
  public Namespace fork(String place, ForkSettings settings) {
    return Lakestream.fork(this, Stores.open(place), Stores.uri(place).toString(), settings);
  }

  /**
   * Records that steps are to be skipped, because their data is bad. Jobs that are running go on as
   * before; a start that is made after this returned skips them on all of its ranks. The steps stay
   * where they are, and nothing takes the record back.
   *
   * @param first the first step to skip
   * @param end one past the last
   * @param reason why, for people, in at most 200 characters
   * @return the range as it was recorded, or empty if all of its steps were to be skipped already
   * @throws io.lakestream.model.InvalidRequest if there are no such steps, any more or yet, the
   *     reason is empty or too long, or the stream has no room for another range
   * @throws io.lakestream.model.CommitUnknown if the store does not say whether it took effect;
   *     skip them again
   * @throws io.lakestream.model.CommitContended if too many others were committing
   * @throws io.lakestream.model.CorruptObject if the stream's metadata is damaged
   * @throws io.lakestream.model.DataLoss if an object of it is missing
   * @throws StoreUnavailable if the store fails
   */
  public Optional<SkippedRange> skip(long first, long end, String reason)
      throws InterruptedException {
    try {
      Committer committer = new Committer(log, environment, CommitSettings.DEFAULT);
      SkipChange change = new SkipChange(committer.newCommitId(), first, end, reason);
      Manifest before = committer.head().manifest();
      change.requireThere(before.header());
      Manifest after = committer.commit(change).head().manifest();
      committer.leaveLastHint();
      return StreamView.skips(after).stream()
          .filter(range -> range.version() > before.version())
          .filter(range -> range.first() == first && range.end() == end)
          .filter(range -> range.reason().equals(reason))
          .findFirst();
    } catch (IOException e) {
      throw new StoreUnavailable(
          "steps %d to %d could not be skipped: %s".formatted(first, end - 1, e.getMessage()), e);
    }
  }

  Environment environment() {
    return environment;
  }

  ManifestLog log() {
    return log;
  }

  Function<String, ObjectStore> opener() {
    return opener;
  }

  /** Pins, the standing of training jobs, and reclamation. */
  public Lifecycle lifecycle() {
    return lifecycle;
  }

  /**
   * Checks the whole namespace against what always holds, and repairs nothing. Others may write
   * meanwhile. What is wrong is part of the answer, not an error.
   *
   * @param listener told how far it is, on the calling thread
   * @throws StoreUnavailable if the store fails, rather than single objects in it
   * @throws InterruptedException if the thread is interrupted
   */
  public CheckReport check(CheckReport.Depth depth, CheckReport.Listener listener)
      throws InterruptedException {
    try {
      return Fsck.run(log, mesh(), depth, listener);
    } catch (IOException e) {
      throw new StoreUnavailable(
          "%s could not be checked to the end: %s".formatted(place, e.getMessage()), e);
    }
  }

  /**
   * The requests made to the namespace's own store through this object so far; what a fork reads of
   * its sources is not among them.
   */
  public StoreMetrics storeMetrics() {
    return metered.metrics();
  }

  /**
   * Closes the store.
   *
   * @throws StoreUnavailable if that fails
   */
  @Override
  public void close() {
    try (store;
        sources) {
      // Both are closed, whatever the other does.
    } catch (IOException e) {
      throw new StoreUnavailable("closing %s failed: %s".formatted(place, e.getMessage()), e);
    }
  }
}
